#include <twinrun.h>

static double mean(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    return sum / n;
}

/* True. */
RELATION(true_mean_reversed) {
    double a[3], b[3];
    tw_f64s("a", a, 3, -1000, 1000);
    for (int i = 0; i < 3; i++) b[i] = a[2 - i];
    double x = RUN(mean(a, 3)), y = RUN(mean(b, 3));
    CHECK_NEAR(x, y, 1e-9);
}

RELATION(true_mean_negated) {
    double a[4], b[4];
    tw_f64s("a", a, 4, -1000, 1000);
    for (int i = 0; i < 4; i++) b[i] = -a[i];
    double x = RUN(mean(a, 4)), y = RUN(mean(b, 4));
    CHECK_EQ(x, -y);
}

/* False: sums of doubles are not associative. */
RELATION(false_mean_reversed) {
    double a[3], b[3];
    tw_f64s("a", a, 3, -1000, 1000);
    for (int i = 0; i < 3; i++) b[i] = a[2 - i];
    double x = RUN(mean(a, 3)), y = RUN(mean(b, 3));
    CHECK_EQ(x, y);
}
