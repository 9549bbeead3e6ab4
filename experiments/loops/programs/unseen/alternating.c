/* A branch inside: every third sample is added, the others are taken off. */
#include <twinrun.h>

static double alternating(double (*f)(double), int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            sum += f(i);
        else
            sum -= f(i);
    }
    return sum;
}

static double p, q, s, t;

double tw_function_f(double x) { return p + x * q; }
double tw_function_g(double x) { return s - x * t; }
static double added(double x) { return tw_function_f(x) + tw_function_g(x); }
static double moved(double x) { return tw_function_f(x + 1); }

static int draw(void) {
    p = tw_f64("p", -10, 10);
    q = tw_f64("q", -10, 10);
    s = tw_f64("s", -10, 10);
    t = tw_f64("t", -10, 10);
    return tw_i32("n", 0, 10000);
}

RELATION(true_added) {
    int n = draw();
    double first = RUN(alternating(tw_function_f, n));
    double second = RUN(alternating(tw_function_g, n));
    double both = RUN(alternating(added, n));
    CHECK_NEAR(both, first + second, 1);
}

RELATION(false_moved) {
    int n = draw();
    double source = RUN(alternating(tw_function_f, n));
    double follow_up = RUN(alternating(moved, n));
    CHECK_NEAR(follow_up, source, 1);
}
