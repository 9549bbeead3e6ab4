/* Two loops in sequence over integers: what comes in, then what goes out. */
#include <twinrun.h>

static int balance(int start, int in, int out, int n, int m) {
    int total = start;
    for (int i = 0; i < n; i++) total += in;
    for (int i = 0; i < m; i++) total -= out;
    return total;
}

RELATION(true_moved) {
    int start = tw_i32("start", -1000, 1000), in = tw_i32("in", 0, 100), out = tw_i32("out", 0, 100);
    int n = tw_i32("n", 0, 1000), m = tw_i32("m", 0, 1000);
    int source = RUN(balance(start, in, out, n, m));
    int follow_up = RUN(balance(start + 7, in, out, n, m));
    CHECK_EQ(follow_up, source + 7);
}

RELATION(false_moved) {
    int start = tw_i32("start", -1000, 1000), in = tw_i32("in", 0, 100), out = tw_i32("out", 0, 100);
    int n = tw_i32("n", 0, 1000), m = tw_i32("m", 0, 1000);
    int source = RUN(balance(start, in, out, n, m));
    int follow_up = RUN(balance(start, out, in, n, m));
    CHECK_EQ(follow_up, source);
}
