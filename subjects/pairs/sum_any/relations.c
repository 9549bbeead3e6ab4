/* Relations whose runs turn a different number of times. The tolerance is what 100,000 rounded sums of up to 10^11 leave. A function whose name begins with tw_function_ stands for any function. */
#include <twinrun.h>

double Sum(double (*f)(double), int n);

static double p, q;

double tw_function_f(double x) { return p + x * q; }

static double two(double x) { return tw_function_f(2 * x) + tw_function_f(2 * x + 1); }
static double shifted(double x) { return tw_function_f(x - 1); }

static int draw(void) {
    p = tw_f64("p", -10, 10);
    q = tw_f64("q", -10, 10);
    return tw_i32("n", 0, 100000);
}

/* Two at a time: n sums of two are 2n single ones. */
RELATION(in_pairs) {
    int n = draw();
    double source = RUN(Sum(two, n));
    double follow_up = RUN(Sum(tw_function_f, 2 * n));
    CHECK_NEAR(source, follow_up, 1);
}

/* One more in front. */
RELATION(one_more) {
    int n = draw();
    double source = RUN(Sum(tw_function_f, n));
    double follow_up = RUN(Sum(shifted, n + 1));
    CHECK_NEAR(follow_up, source + tw_function_f(-1), 1);
}
