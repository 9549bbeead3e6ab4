#include <twinrun.h>

enum { MOST = 32 };

static int search(const int *a, int n, int key) {
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == key) return mid;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid - 1;
    }
    return -1;
}

static int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

static int sum_but_last(const int *a, int n) {
    int s = 0;
    for (int i = 0; i + 1 < n; i++) s += a[i];
    return s;
}

static int largest_sum(const int *a, int n) {
    int best = a[0], here = a[0];
    for (int i = 1; i < n; i++) {
        here = here > 0 ? here + a[i] : a[i];
        if (here > best) best = here;
    }
    return best;
}

/* True. */
RELATION(true_search) {
    int a[MOST + 1], key = tw_i32("key", INT32_MIN, INT32_MAX);
    tw_i32s("a", a, MOST + 1, INT32_MIN, INT32_MAX);
    for (int i = 1; i <= MOST; i++) ASSUME(a[i - 1] < a[i]);
    ASSUME(key < a[MOST]);
    int x = RUN(search(a, MOST, key)), y = RUN(search(a, MOST + 1, key));
    CHECK_EQ(x, y);
}

RELATION(true_sum) {
    int a[MOST], b[MOST], n = tw_i32("n", 0, MOST), c = tw_i32("c", -1000, 1000);
    tw_i32s("a", a, MOST, -1000, 1000);
    for (int i = 0; i < MOST; i++) b[i] = a[i] + c;
    int x = RUN(sum(a, n)), y = RUN(sum(b, n));
    CHECK_EQ(y, x + n * c);
}

RELATION(true_largest_sum) {
    int a[8], b[8];
    tw_i32s("a", a, 8, -1000, 1000);
    for (int i = 0; i < 8; i++) b[i] = a[7 - i];
    int x = RUN(largest_sum(a, 8)), y = RUN(largest_sum(b, 8));
    CHECK_EQ(x, y);
}

/* False: the last element does not count. */
RELATION(false_sum) {
    int a[MOST], b[MOST], n = tw_i32("n", 0, MOST), c = tw_i32("c", -1000, 1000);
    tw_i32s("a", a, MOST, -1000, 1000);
    for (int i = 0; i < MOST; i++) b[i] = a[i] + c;
    int x = RUN(sum_but_last(a, n)), y = RUN(sum_but_last(b, n));
    CHECK_EQ(y, x + n * c);
}
