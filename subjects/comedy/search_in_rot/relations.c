#include <twinrun.h>

#include "search_in_rot.h"

enum { MOST = 7 };

static int run(const int *a, int n, int key) {
    GIVEN_I32S("a", a, n);
    GIVEN("key", key);
    int index = RUN(search_in_rot(a, n, key));
    OUTPUT("index", index);
    return index;
}

/* A rotated ascending array of distinct elements and a key, which is often one of them. */
static int draw(int *a, int *key) {
    int ascending[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("steps", ascending, n, 1, 5);
    for (int i = 1; i < n; i++) ascending[i] += ascending[i - 1];
    int rotation = tw_i32("rotation", 0, n - 1);
    for (int i = 0; i < n; i++) a[i] = ascending[(i + rotation) % n];
    *key = tw_i32("key", 0, 5 * MOST + 1);
    return n;
}

/* Negated and read backwards, the array is of the same kind; the key is found at the mirrored place. */
RELATION(reverse) {
    int a[MOST], key;
    int n = draw(a, &key);
    int source = run(a, n, key);
    TW_MULTIPLY(a, n, -1);
    TW_REVERSE(a, n);
    int follow_up = run(a, n, -key);
    CHECK_EQ(source < 0 ? -1 : n - 1 - source, follow_up);
}

/* Rotated further, the key moves along. */
RELATION(shift) {
    int a[MOST], b[MOST], key;
    int n = draw(a, &key);
    int by = tw_i32("by", 0, n - 1);
    for (int i = 0; i < n; i++) b[i] = a[(i + by) % n];
    int source = run(a, n, key);
    int follow_up = run(b, n, key);
    CHECK_EQ(source < 0 ? -1 : (source - by + n) % n, follow_up);
}
