#include <math.h>

#include <twinrun.h>

#include "trapezoid.h"

enum { DEGREE = 3 };
static const double tolerance = 1e-6;

static double polynomial(double x, const double *c) { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }

static double run(const double *coefficients, double a, double b, int intervals) {
    GIVEN_F64S("coefficients", coefficients, DEGREE + 1);
    GIVEN("a", a);
    GIVEN("b", b);
    GIVEN("intervals", intervals);
    double answer = RUN(area(polynomial, coefficients, a, b, intervals));
    OUTPUT("area", answer);
    return answer;
}

/* f + c has c·|b − a| more area. */
RELATION(raise) {
    double f[DEGREE + 1];
    tw_f64s("f", f, DEGREE + 1, -10, 10);
    double a = tw_f64("a", -10, 10), b = tw_f64("b", -10, 10), c = tw_f64("c", -10, 10);
    int intervals = tw_i32("intervals", 1, 20);
    double source = run(f, a, b, intervals);
    f[0] += c;
    double follow_up = run(f, a, b, intervals);
    CHECK_NEAR(source + c * fabs(b - a), follow_up, tolerance);
}

/* The order of the ends does not matter. */
RELATION(swap_ends) {
    double f[DEGREE + 1];
    tw_f64s("f", f, DEGREE + 1, -10, 10);
    double a = tw_f64("a", -10, 10), b = tw_f64("b", -10, 10);
    int intervals = tw_i32("intervals", 1, 20);
    double source = run(f, a, b, intervals);
    double follow_up = run(f, b, a, intervals);
    CHECK_NEAR(source, follow_up, tolerance);
}

/* The area under f + g is the sum of the areas: three runs. */
RELATION(sum) {
    double f[DEGREE + 1], g[DEGREE + 1], both[DEGREE + 1];
    tw_f64s("f", f, DEGREE + 1, -10, 10);
    tw_f64s("g", g, DEGREE + 1, -10, 10);
    double a = tw_f64("a", -10, 10), b = tw_f64("b", -10, 10);
    int intervals = tw_i32("intervals", 1, 20);
    for (int i = 0; i <= DEGREE; i++) both[i] = f[i] + g[i];
    double first = run(f, a, b, intervals);
    double second = run(g, a, b, intervals);
    double follow_up = run(both, a, b, intervals);
    CHECK_NEAR(first + second, follow_up, tolerance);
}
