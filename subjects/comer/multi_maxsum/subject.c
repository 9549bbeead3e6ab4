#include "../common/comer.h"

int multi_maxsum(const int *a, int n, int segments);

enum { SAME, NEGATIVE, POSITIVE, ZERO, SEGMENTS, HAS_SAME, DATA, MOST = 128 };

void run(const double *test, Output *output) {
    int a[MOST];
    int same = test[HAS_SAME] > 0 ? (int)test[SAME] : 0;
    int n = make_numbers(a, same, (int)test[NEGATIVE], (int)test[POSITIVE], (int)test[ZERO], test[DATA]);
    int choices[] = {1, n / 3, n / 2, n};
    int segments = choices[(int)test[SEGMENTS]];
    put(output, multi_maxsum(a, n, segments < 1 ? 1 : segments));
}

RULE(not_lower) {
    UNUSED_TESTS;
    return second->value[0] >= first->value[0];
}

RULES({"one more positive", not_lower}, {"one more negative", not_lower})
