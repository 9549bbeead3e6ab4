/* How many decimal digits a number has. */
#include <twinrun.h>

static int digits(int n) {
    int count = 1;
    while (n >= 10) {
        n /= 10;
        count++;
    }
    return count;
}

RELATION(true_ten_times) {
    int n = tw_i32("n", 1, 100000000);
    int source = RUN(digits(n));
    int follow_up = RUN(digits(10 * n));
    CHECK_EQ(follow_up, source + 1);
}

RELATION(false_next) {
    int n = tw_i32("n", 1, 100000000);
    int source = RUN(digits(n));
    int follow_up = RUN(digits(n + 1));
    CHECK_EQ(follow_up, source);
}
