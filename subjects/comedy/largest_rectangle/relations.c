#include <twinrun.h>

#include "largest_rectangle.h"

enum { MOST = 7 };

static int run(const int *heights, int n) {
    GIVEN_I32S("heights", heights, n);
    int best = RUN(largest_rectangle(heights, n));
    OUTPUT("best", best);
    return best;
}

RELATION(reverse) {
    int a[MOST], b[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("heights", a, n, -1, 20);
    TW_COPY(b, a, n);
    TW_REVERSE(b, n);
    int source = run(a, n);
    int follow_up = run(b, n);
    CHECK_EQ(source, follow_up);
}
