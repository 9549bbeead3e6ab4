/* The trapezoid rule, with the bound included. */
#include <twinrun.h>

static double area(double (*f)(double), double a, double b, int v) {
    double h = (b - a) / v;
    double sum = (f(a) + f(b)) / 2;
    for (int i = 1; i <= v - 1; i++) sum += f(a + i * h);
    return sum * h;
}

static double p, q, r, a, b, c, k;
static int v;

double tw_function_f(double x) { return p + x * (q + x * r); }
static double other(double x) { return tw_function_f(x) + c; }

static void draw(void) {
    a = tw_f64("a", -100, 100);
    b = tw_f64("b", -100, 100);
    v = tw_i32("v", 1, 10000);
    p = tw_f64("p", -10, 10);
    q = tw_f64("q", -10, 10);
    r = tw_f64("r", -10, 10);
}

RELATION(true_raised) {
    draw();
    c = tw_f64("c", -10, 10);
    double source = RUN(area(tw_function_f, a, b, v));
    double follow_up = RUN(area(other, a, b, v));
    CHECK_NEAR(follow_up, source + c * (b - a), 1);
}

RELATION(false_raised) {
    draw();
    c = tw_f64("c", -10, 10);
    double source = RUN(area(tw_function_f, a, b, v));
    double follow_up = RUN(area(other, a, b, v));
    CHECK_NEAR(follow_up, source + c * (b + a), 1);
}
