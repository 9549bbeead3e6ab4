/* A power by repeated multiplication. */
#include <twinrun.h>

static double power(double base, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; i++) result *= base;
    return result;
}

RELATION(true_next) {
    double base = tw_f64("base", -1, 1);
    int exponent = tw_i32("exponent", 0, 1000);
    double source = RUN(power(base, exponent));
    double follow_up = RUN(power(base, exponent + 1));
    CHECK_NEAR(follow_up, source * base, 1e-9);
}

RELATION(false_twice) {
    double base = tw_f64("base", -1, 1);
    int exponent = tw_i32("exponent", 0, 1000);
    double source = RUN(power(base, exponent));
    double follow_up = RUN(power(2 * base, exponent));
    CHECK_NEAR(follow_up, 2 * source, 1e-9);
}
