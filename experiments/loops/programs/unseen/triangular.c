/* The sum of 1 to n, the bound included. */
#include <twinrun.h>

static int triangular(int n) {
    int sum = 0;
    for (int i = 1; i <= n; i++) sum += i;
    return sum;
}

RELATION(true_next) {
    int n = tw_i32("n", 0, 30000);
    int source = RUN(triangular(n));
    int follow_up = RUN(triangular(n + 1));
    CHECK_EQ(follow_up, source + n + 1);
}

RELATION(false_next) {
    int n = tw_i32("n", 0, 30000);
    int source = RUN(triangular(n));
    int follow_up = RUN(triangular(n + 1));
    CHECK_EQ(follow_up, source + n);
}
