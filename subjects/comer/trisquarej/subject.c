#include <math.h>

#include "../common/comer.h"

int triangle(int a, int b, int c, double *area);

enum { KIND, A, B, C };

void run(const double *test, Output *output) {
    double area = 0;
    put(output, triangle((int)test[A], (int)test[B], (int)test[C], &area));
    put(output, area);
}

static int near(double a, double b) { return fabs(a - b) <= 1e-6 * (1 + fabs(a)); }

RULE(same) {
    UNUSED_TESTS;
    return first->value[0] == second->value[0] && near(first->value[1], second->value[1]);
}

RULE(doubled) {
    UNUSED_TESTS;
    return first->value[0] == second->value[0] && near(4 * first->value[1], second->value[1]);
}

RULES({"swap a and b", same}, {"swap b and c", same}, {"double", doubled})
