/* The whole part of a square root, by trying: the loop is left early. */
#include <twinrun.h>

static int root(int n) {
    int r = 0;
    for (;;) {
        if ((r + 1) * (r + 1) > n) break;
        r++;
    }
    return r;
}

RELATION(true_grows) {
    int n = tw_i32("n", 0, 1000000);
    int source = RUN(root(n));
    int follow_up = RUN(root(n + 1));
    CHECK_GE(follow_up, source);
}

RELATION(false_next) {
    int n = tw_i32("n", 0, 1000000);
    int source = RUN(root(n));
    int follow_up = RUN(root(n + 5000));
    CHECK_LE(follow_up, source + 1);
}
