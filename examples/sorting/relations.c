#include <twinrun.h>

#include "sorting.h"

enum { MOST = 10 };

static void run(int *a, int n) {
    GIVEN_I32S("a", a, n);
    RUN(shell_sort(a, n));
    OUTPUT_I32S("sorted", a, n);
}

/* The order of the input does not matter. */
RELATION(permute) {
    int a[MOST], b[MOST], permutation[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -1000, 1000);
    tw_permutation("permutation", permutation, n);
    TW_PERMUTE(b, a, permutation, n);
    run(a, n);
    run(b, n);
    CHECK_I32S(a, b, n);
}

/* Mirrored at zero, the result comes in reverse. */
RELATION(negate) {
    int a[MOST], b[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -1000, 1000);
    TW_COPY(b, a, n);
    TW_MULTIPLY(b, n, -1);
    run(a, n);
    run(b, n);
    TW_MULTIPLY(b, n, -1);
    TW_REVERSE(b, n);
    CHECK_I32S(a, b, n);
}

/* An element smaller than all others comes first; the rest stays. */
RELATION(include_smallest) {
    int a[MOST], b[MOST + 1];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -1000, 1000);
    int place = tw_i32("place", 0, n);
    TW_COPY(b, a, n);
    TW_INCLUDE(b, n, place, -1001);
    run(a, n);
    run(b, n + 1);
    CHECK_EQ(b[0], -1001);
    CHECK_I32S(a, b + 1, n);
}
