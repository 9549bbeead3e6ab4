/* Counting down, for any function. */
#include <twinrun.h>

static double total(double (*f)(double), int n) {
    double sum = 0;
    for (int i = n; i > 0; i--) sum += f(i);
    return sum;
}

static double p, q, k;

double tw_function_f(double x) { return p + x * q; }
static double scaled(double x) { return k * tw_function_f(x); }

static int draw(void) {
    p = tw_f64("p", -10, 10);
    q = tw_f64("q", -10, 10);
    k = tw_f64("k", -10, 10);
    return tw_i32("n", 0, 10000);
}

RELATION(true_scaled) {
    int n = draw();
    double source = RUN(total(tw_function_f, n));
    double follow_up = RUN(total(scaled, n));
    CHECK_NEAR(follow_up, k * source, 1);
}

RELATION(false_one_more) {
    int n = draw();
    double source = RUN(total(tw_function_f, n));
    double follow_up = RUN(total(tw_function_f, n + 1));
    CHECK_NEAR(follow_up, source, 1);
}
