#include <twinrun.h>

#ifndef V
#define V 3
#endif
#ifdef FIX
typedef int num;
#ifndef BOUND
#define BOUND 100
#endif
#else
typedef double num;
#endif

num Area(const num *f, num a, num b, int v, int *err);

/* Area(f + c) = Area(f) + c·|b − a|. */
RELATION(raise) {
    num f[V + 1], g[V + 1];
#ifdef FIX
    num a = tw_i32("a", -BOUND, BOUND), b = tw_i32("b", -BOUND, BOUND), c = tw_i32("c", 1, BOUND);
    tw_i32s("f", f, V + 1, -BOUND, BOUND);
#else
    num a = tw_f64("a", -100, 100), b = tw_f64("b", -100, 100), c = tw_f64("c", 0, 100);
    ASSUME(c > 0);
    tw_f64s("f", f, V + 1, -100, 100);
#endif
    int v = V, e1, e2;
    for (int i = 0; i <= V; i++) g[i] = f[i] + c;
    num source = RUN(Area(f, a, b, v, &e1));
    OUTPUT("area", source);
    num follow_up = RUN(Area(g, a, b, v, &e2));
    OUTPUT("area", follow_up);
    num d = b - a;
    if (d < 0) d = -d;
#ifdef FIX
    CHECK_EQ(follow_up, source + 2 * v * c * d);
#else
    CHECK_NEAR(follow_up, source + c * d, 1e-6);
#endif
}
