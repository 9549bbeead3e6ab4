#include <twinrun.h>

#include "maxsub.h"

enum { MOST = 8 };

static int run(const int *a, int n) {
    GIVEN("n", n);
    GIVEN_I32S("a", a, n);
    int best = RUN(maxsub(a, n));
    OUTPUT("best", best);
    return best;
}

/* The same array read from right to left has the same best sum. */
RELATION(reverse) {
    int a[MOST], b[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -1000, 1000);
    TW_COPY(b, a, n);
    TW_REVERSE(b, n);
    int source = run(a, n);
    int follow_up = run(b, n);
    CHECK_EQ(source, follow_up);
}

/* A negative element in front never belongs to the best subarray. */
RELATION(add) {
    int a[MOST + 1];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -1000, 1000);
    int front = tw_i32("front", -1000, -1);
    int source = run(a, n);
    TW_INCLUDE(a, n, 0, front);
    int follow_up = run(a, n + 1);
    CHECK_EQ(source, follow_up);
}

/* Multiplying every element by a positive factor multiplies the best sum. */
RELATION(multiply) {
    int a[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -1000, 1000);
    int factor = tw_i32("factor", 2, 9);
    int source = run(a, n);
    TW_MULTIPLY(a, n, factor);
    int follow_up = run(a, n);
    CHECK_EQ(source * factor, follow_up);
}
