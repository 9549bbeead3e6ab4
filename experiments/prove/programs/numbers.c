#include <twinrun.h>

static int gcd(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int median(int u, int v, int w) {
    int med = w;
    if (v < w) {
        if (u < v) med = v;
        else if (u < w) med = u;
    } else if (u > v) med = v;
    else if (u > w) med = u;
    return med;
}

static int root(int n) {
    int r = 0;
    while ((r + 1) * (r + 1) <= n) r++;
    return r;
}

/* True. */
RELATION(true_gcd) {
    int a = tw_i32("a", 1, 100), b = tw_i32("b", 1, 100);
    int x = RUN(gcd(a, b)), y = RUN(gcd(b, a));
    CHECK_EQ(x, y);
}

RELATION(true_median) {
    int a = tw_i32("a", INT32_MIN, INT32_MAX), b = tw_i32("b", INT32_MIN, INT32_MAX), c = tw_i32("c", INT32_MIN, INT32_MAX);
    int x = RUN(median(a, b, c)), y = RUN(median(c, a, b));
    CHECK_EQ(x, y);
}

/* A root times four is the root of sixteen times as much, or a little less. */
RELATION(true_root) {
    int n = tw_i32("n", 0, 60);
    int x = RUN(root(n)), y = RUN(root(16 * n));
    CHECK(4 * x <= y && y <= 4 * x + 3);
}

/* False: 6 and 4 have 2, 12 and 4 have 4. */
RELATION(false_gcd) {
    int a = tw_i32("a", 1, 100), b = tw_i32("b", 1, 100);
    int x = RUN(gcd(a, b)), y = RUN(gcd(2 * a, b));
    CHECK_EQ(x, y);
}
