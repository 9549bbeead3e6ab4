#include <math.h>

#include "../common/comer.h"

double determinant(double a[32][32], int n);

enum { SIZE, KIND, POSITIVES, FACTOR, DATA };

static double entry(const double *test, int i, int j) {
    double size = 1 + element(test[DATA], 1, i * 32 + j, 9);
    return element(test[DATA], 2, i * 32 + j, 1000) < test[POSITIVES] * 1000 ? size : -size;
}

void run(const double *test, Output *output) {
    static double a[32][32];
    int n = (int)test[SIZE];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double value = 0;
            switch ((int)test[KIND]) {
            case 0: value = entry(test, i, j); break;
            case 2: value = i == j ? entry(test, i, j) : 0; break;
            case 3: value = i <= j ? entry(test, i, j) : 0; break;
            case 4: value = j <= i ? entry(test, j, i) : 0; break;
            default: value = 0;
            }
            a[i][j] = i == 0 ? value * test[FACTOR] : value;
        }
    put(output, determinant(a, n));
}

static int near(double a, double b) {
    double scale = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return fabs(a - b) <= 1e-6 * scale + 1e-6;
}

RULE(transpose) {
    UNUSED_TESTS;
    return near(first->value[0], second->value[0]);
}

RULE(scaled) {
    return near(first->value[0] / source[FACTOR] * follow[FACTOR], second->value[0]);
}

RULES({"transpose", transpose}, {"scale a row", scaled})
