#include <twinrun.h>

#include "quick_sort.h"

enum { MOST = 7 };

static void run(int *a, int n) {
    GIVEN_I32S("a", a, n);
    RUN(quick_sort(a, n));
    OUTPUT_I32S("sorted", a, n);
}

RELATION(permute) {
    int a[MOST], b[MOST], permutation[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -100, 100);
    tw_permutation("permutation", permutation, n);
    TW_PERMUTE(b, a, permutation, n);
    run(a, n);
    run(b, n);
    CHECK_I32S(a, b, n);
}
