#include <twinrun.h>

#include "multi_maxsub.h"

enum { MOST = 6 };

static int run(const int *a, int n, int segments) {
    GIVEN_I32S("a", a, n);
    GIVEN("segments", segments);
    int best = RUN(multi_maxsub(a, n, segments));
    OUTPUT("best", best);
    return best;
}

RELATION(reverse) {
    int a[MOST], b[MOST];
    int n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -100, 100);
    int segments = tw_i32("segments", 1, 3);
    TW_COPY(b, a, n);
    TW_REVERSE(b, n);
    int source = run(a, n, segments);
    int follow_up = run(b, n, segments);
    CHECK_EQ(source, follow_up);
}
