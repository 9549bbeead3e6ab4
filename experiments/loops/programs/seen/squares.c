/* The sum of squares, counted down. */
#include <twinrun.h>

static int squares(int n) {
    int sum = 0;
    while (n > 0) {
        sum += n * n;
        n = n - 1;
    }
    return sum;
}

RELATION(true_next) {
    int n = tw_i32("n", 0, 1000);
    int source = RUN(squares(n));
    int follow_up = RUN(squares(n + 1));
    CHECK_EQ(follow_up, source + (n + 1) * (n + 1));
}

RELATION(false_next) {
    int n = tw_i32("n", 0, 1000);
    int source = RUN(squares(n));
    int follow_up = RUN(squares(n + 1));
    CHECK_EQ(follow_up, source + n * n);
}
