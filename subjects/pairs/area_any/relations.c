/* The three published relations of Area. A function whose name begins with tw_function_ stands for any function: a proof knows nothing of it but that
 * equal arguments give equal results; tests use the body. */
#include <twinrun.h>

double Area(double (*f)(double), double a, double b, int v);

static double p, q, r, s, c, k;

double tw_function_f(double x) { return p + x * (q + x * r); }
double tw_function_g(double x) { return s - x * (p + x * q); }

static double raised(double x) { return tw_function_f(x) + c; }
static double added(double x) { return tw_function_f(x) + tw_function_g(x); }
static double scaled(double x) { return k * tw_function_f(x); }

static double a, b;
static int v;

static void draw(void) {
    a = tw_f64("a", -100, 100);
    b = tw_f64("b", -100, 100);
    v = tw_i32("v", 1, 1000000);
    p = tw_f64("p", -10, 10);
    q = tw_f64("q", -10, 10);
    r = tw_f64("r", -10, 10);
}

/* Area(f + c) = Area(f) + c·|b − a|. */
RELATION(raise) {
    draw();
    c = tw_f64("c", -10, 10);
    double source = RUN(Area(tw_function_f, a, b, v));
    OUTPUT("area", source);
    double follow_up = RUN(Area(raised, a, b, v));
    OUTPUT("area", follow_up);
    CHECK_NEAR(follow_up, source + c * __builtin_fabs(b - a), 1e-3);
}

/* Area(f + g) = Area(f) + Area(g). */
RELATION(add) {
    draw();
    s = tw_f64("s", -10, 10);
    double first = RUN(Area(tw_function_f, a, b, v));
    OUTPUT("area", first);
    double second = RUN(Area(tw_function_g, a, b, v));
    OUTPUT("area", second);
    double both = RUN(Area(added, a, b, v));
    OUTPUT("area", both);
    CHECK_NEAR(both, first + second, 1e-3);
}

/* Area(k·f) = k·Area(f). */
RELATION(scale) {
    draw();
    k = tw_f64("k", -10, 10);
    double source = RUN(Area(tw_function_f, a, b, v));
    OUTPUT("area", source);
    double follow_up = RUN(Area(scaled, a, b, v));
    OUTPUT("area", follow_up);
    CHECK_NEAR(follow_up, k * source, 1e-3);
}
