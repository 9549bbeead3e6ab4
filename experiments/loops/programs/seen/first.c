/* An early exit: the first place of a number. */
#include <twinrun.h>

static int first(const int *numbers, int n, int wanted) {
    for (int i = 0; i < n; i++) {
        if (numbers[i] == wanted) return i;
    }
    return n;
}

static int numbers[9];

RELATION(true_one_more) {
    int n = tw_len("n", 0, 8), wanted = tw_i32("wanted", -100, 100);
    tw_i32s("numbers", numbers, n, -100, 100);
    int source = RUN(first(numbers, n, wanted));
    numbers[n] = wanted;
    int follow_up = RUN(first(numbers, n + 1, wanted));
    CHECK_EQ(follow_up, source);
}

RELATION(false_one_more) {
    int n = tw_len("n", 0, 8), wanted = tw_i32("wanted", -100, 100);
    tw_i32s("numbers", numbers, n, -100, 100);
    int source = RUN(first(numbers, n, wanted));
    numbers[n] = wanted;
    int follow_up = RUN(first(numbers, n + 1, wanted));
    CHECK_LT(follow_up, n);
    CHECK_EQ(follow_up, source);
}
