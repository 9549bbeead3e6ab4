#include <twinrun.h>

#include "first_missing_positive.h"

enum { MOST = 6 };

static int run(int *a, int n) {
    GIVEN_I32S("a", a, n);
    int missing = RUN(first_missing_positive(a, n));
    OUTPUT("missing", missing);
    return missing;
}

RELATION(reverse) {
    int a[MOST], b[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -2, MOST + 2);
    TW_COPY(b, a, n);
    TW_REVERSE(b, n);
    int source = run(a, n);
    int follow_up = run(b, n);
    CHECK_EQ(source, follow_up);
}

RELATION(shuffle) {
    int a[MOST], b[MOST], permutation[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -2, MOST + 2);
    tw_permutation("permutation", permutation, n);
    TW_PERMUTE(b, a, permutation, n);
    int source = run(a, n);
    int follow_up = run(b, n);
    CHECK_EQ(source, follow_up);
}
