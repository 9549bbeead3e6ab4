#include <twinrun.h>

static int popcount(unsigned x) {
    int n = 0;
    for (int i = 0; i < 32; i++) {
        if (x & 1) n++;
        x >>= 1;
    }
    return n;
}

static int popcount_of_31(unsigned x) {
    int n = 0;
    for (int i = 0; i < 31; i++) {
        if (x & 1) n++;
        x >>= 1;
    }
    return n;
}

static unsigned reversed(unsigned x) {
    unsigned y = 0;
    for (int i = 0; i < 32; i++) {
        y = y << 1 | (x & 1);
        x >>= 1;
    }
    return y;
}

/* True. */
RELATION(true_popcount) {
    unsigned x = (unsigned)tw_i32("x", INT32_MIN, INT32_MAX);
    int a = RUN(popcount(x)), b = RUN(popcount(~x));
    CHECK_EQ(b, 32 - a);
}

RELATION(true_reversed_twice) {
    unsigned x = (unsigned)tw_i32("x", INT32_MIN, INT32_MAX);
    unsigned a = RUN(reversed(x)), b = RUN(reversed(a));
    CHECK_EQ((int)b, (int)x);
}

/* False: a bit is forgotten. */
RELATION(false_popcount) {
    unsigned x = (unsigned)tw_i32("x", INT32_MIN, INT32_MAX);
    int a = RUN(popcount_of_31(x)), b = RUN(popcount_of_31(~x));
    CHECK_EQ(b, 32 - a);
}
