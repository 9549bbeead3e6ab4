#include "../common/comer.h"

void heap_sort(int *a, int n);

enum { SAME, NEGATIVE, POSITIVE, ZERO, ADD, ORDER, DATA, MOST = 128 };

void run(const double *test, Output *output) {
    int a[MOST];
    int n = make_numbers(a, (int)test[SAME], (int)test[NEGATIVE], (int)test[POSITIVE], (int)test[ZERO], test[DATA]);
    put_in_order(a, n, (int)test[ORDER], test[DATA]);
    for (int i = 0; i < n; i++)
        a[i] += (int)test[ADD];
    heap_sort(a, n);
    for (int i = 0; i < n; i++)
        put(output, a[i]);
}

RULE(shuffle) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULE(shifted) {
    double by = follow[ADD] - source[ADD];
    if (first->count != second->count)
        return 0;
    for (int i = 0; i < first->count; i++)
        if (second->value[i] != first->value[i] + by)
            return 0;
    return 1;
}

RULE(negated) {
    UNUSED_TESTS;
    int n = first->count;
    if (n != second->count)
        return 0;
    for (int i = 0; i < n; i++)
        if (second->value[i] != -first->value[n - 1 - i])
            return 0;
    return 1;
}

RULES({"shuffle", shuffle}, {"add", shifted}, {"negate", negated})
