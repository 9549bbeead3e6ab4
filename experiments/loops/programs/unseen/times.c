/* A product by repeated addition. */
#include <twinrun.h>

static int times(int a, int b) {
    int product = 0;
    while (b > 0) {
        product += a;
        b--;
    }
    return product;
}

RELATION(true_distributes) {
    int a = tw_i32("a", -1000, 1000), c = tw_i32("c", -1000, 1000), b = tw_i32("b", 0, 100000);
    int first = RUN(times(a, b));
    int second = RUN(times(c, b));
    int both = RUN(times(a + c, b));
    CHECK_EQ(both, first + second);
}

RELATION(false_sign) {
    int a = tw_i32("a", -1000, 1000), b = tw_i32("b", 0, 100000);
    int source = RUN(times(a, b));
    int follow_up = RUN(times(-a, b));
    CHECK_EQ(follow_up, source);
}
