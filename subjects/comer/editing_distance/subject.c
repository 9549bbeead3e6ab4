#include "../common/comer.h"

int editing_distance(const char *a, int m, const char *b, int n);

enum { LENGTH1, DIGITS1, SIGNS1, LENGTH2, DIGITS2, SIGNS2, TAIL, DATA };

/* The tail of the first text is of a character that the second never has. */
void run(const double *test, Output *output) {
    char a[32] = {0}, b[32] = {0};
    int m = (int)test[LENGTH1], n = (int)test[LENGTH2], tail = (int)test[TAIL];
    for (int i = 0; i < m; i++)
        a[i] = i >= m - tail ? '#' : make_character(test[DATA], 1, i, test[DIGITS1], test[SIGNS1]);
    for (int j = 0; j < n; j++)
        b[j] = make_character(test[DATA], 2, j, test[DIGITS2], test[SIGNS2]);
    put(output, editing_distance(a, m, b, n));
}

RULE(not_lower) {
    UNUSED_TESTS;
    return second->value[0] >= first->value[0];
}

RULES({"append", not_lower})
