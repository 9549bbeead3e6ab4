/* The greatest common divisor by taking the smaller from the larger. */
#include <twinrun.h>

static int divisor(int a, int b) {
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}

RELATION(true_swapped) {
    int a = tw_i32("a", 1, 100), b = tw_i32("b", 1, 100);
    int source = RUN(divisor(a, b));
    int follow_up = RUN(divisor(b, a));
    CHECK_EQ(source, follow_up);
}

RELATION(false_next) {
    int a = tw_i32("a", 1, 100), b = tw_i32("b", 1, 100);
    int source = RUN(divisor(a, b));
    int follow_up = RUN(divisor(a + 1, b));
    CHECK_EQ(source, follow_up);
}
