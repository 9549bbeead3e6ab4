/* A branch inside: odd numbers and even ones into sums of their own. */
#include <twinrun.h>

static int difference(int n, int step) {
    int odd = 0, even = 0;
    for (int i = 1; i <= n; i++) {
        if (i % 2 == 1)
            odd += step;
        else
            even += step;
    }
    return odd - even;
}

RELATION(true_doubled) {
    int n = tw_i32("n", 0, 10000), step = tw_i32("step", -100, 100);
    int source = RUN(difference(n, step));
    int follow_up = RUN(difference(n, 2 * step));
    CHECK_EQ(follow_up, 2 * source);
}

RELATION(false_next) {
    int n = tw_i32("n", 0, 10000), step = tw_i32("step", -100, 100);
    int source = RUN(difference(n, step));
    int follow_up = RUN(difference(n + 2, step));
    CHECK_EQ(follow_up, source + step);
}
