#include <twinrun.h>

#include "maxsub.h"

enum { MOST = 6 };

static int run(const int *a, int n) {
    GIVEN_I32S("a", a, n);
    int best = RUN(maxsub(a, n));
    OUTPUT("best", best);
    return best;
}

RELATION(reverse) {
    int a[MOST], b[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -100, 100);
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
    tw_i32s("a", a, n, -100, 100);
    int front = tw_i32("front", -100, -1);
    int source = run(a, n);
    TW_INCLUDE(a, n, 0, front);
    int follow_up = run(a, n + 1);
    CHECK_EQ(source, follow_up);
}
