#include "../common/comer.h"

typedef struct {
    int sum, from, to;
} Best;
Best maxsub(const int *a, int n);

enum { SAME, NEGATIVE, POSITIVE, ZERO, ORDER, DATA, MOST = 128 };

void run(const double *test, Output *output) {
    int a[MOST];
    int n = make_numbers(a, (int)test[SAME], (int)test[NEGATIVE], (int)test[POSITIVE], (int)test[ZERO], test[DATA]);
    put_in_order(a, n, (int)test[ORDER], test[DATA]);
    put(output, maxsub(a, n).sum);
}

RULE(reverse) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"reverse", reverse})
