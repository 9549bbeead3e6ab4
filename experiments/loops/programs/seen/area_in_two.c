/* The trapezoid rule, in two loops: the odd samples, then the even ones. */
#include <twinrun.h>

static double area(double (*f)(double), double a, double b, int v) {
    double h = (b - a) / (2 * v);
    double odd = 0, even = 0;
    for (int i = 0; i < v; i++) odd += f(a + (2 * i + 1) * h);
    for (int i = 1; i < v; i++) even += f(a + 2 * i * h);
    return (f(a) + f(b) + 4 * odd + 2 * even) * h / 3;
}

static double p, q, r, a, b, c, k;
static int v;

double tw_function_f(double x) { return p + x * (q + x * r); }
static double other(double x) { return k * tw_function_f(x); }

static void draw(void) {
    a = tw_f64("a", -100, 100);
    b = tw_f64("b", -100, 100);
    v = tw_i32("v", 1, 10000);
    p = tw_f64("p", -10, 10);
    q = tw_f64("q", -10, 10);
    r = tw_f64("r", -10, 10);
}

RELATION(true_scaled) {
    draw();
    k = tw_f64("k", -10, 10);
    double source = RUN(area(tw_function_f, a, b, v));
    double follow_up = RUN(area(other, a, b, v));
    CHECK_NEAR(follow_up, k * source, 1);
}

RELATION(false_scaled) {
    draw();
    k = tw_f64("k", -10, 10);
    double source = RUN(area(tw_function_f, a, b, v));
    double follow_up = RUN(area(other, a, b, v));
    CHECK_NEAR(follow_up, k + source, 1);
}
