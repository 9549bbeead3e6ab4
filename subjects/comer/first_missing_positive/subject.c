#include "../common/comer.h"

int first_missing_positive(int *a, int n);

enum { SAME, NEGATIVE, POSITIVE, ZERO, ORDER, HAS_SAME, DATA, MOST = 128 };

void run(const double *test, Output *output) {
    int a[MOST];
    int same = test[HAS_SAME] > 0 ? (int)test[SAME] : (int)test[ZERO];
    int n = make_numbers(a, same, (int)test[NEGATIVE], (int)test[POSITIVE], (int)test[ZERO], test[DATA]);
    /* Small numbers make the question interesting. */
    for (int i = 0; i < n; i++)
        a[i] = a[i] > 0 ? 1 + a[i] % 12 : a[i];
    put_in_order(a, n, (int)test[ORDER], test[DATA]);
    put(output, first_missing_positive(a, n));
}

RULE(same_answer) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"shuffle", same_answer}, {"repeat", same_answer})
