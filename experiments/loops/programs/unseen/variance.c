/* Two loops in sequence: the mean first, then the squares of the distances from it. */
#include <twinrun.h>

static double variance(double (*f)(double), int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += f(i);
    double mean = sum / n;
    double squares = 0;
    for (int i = 0; i < n; i++) {
        double distance = f(i) - mean;
        squares += distance * distance;
    }
    return squares / n;
}

static double p, q, c;

double tw_function_f(double x) { return p + x * q; }
static double moved(double x) { return tw_function_f(x) + c; }
static double twice(double x) { return 2 * tw_function_f(x); }

static int draw(void) {
    p = tw_f64("p", -10, 10);
    q = tw_f64("q", -10, 10);
    return tw_i32("n", 1, 1000);
}

RELATION(true_moved) {
    int n = draw();
    c = tw_f64("c", -10, 10);
    double source = RUN(variance(tw_function_f, n));
    double follow_up = RUN(variance(moved, n));
    CHECK_NEAR(follow_up, source, 1);
}

RELATION(false_twice) {
    int n = draw();
    double source = RUN(variance(tw_function_f, n));
    double follow_up = RUN(variance(twice, n));
    CHECK_NEAR(follow_up, 2 * source, 1);
}
