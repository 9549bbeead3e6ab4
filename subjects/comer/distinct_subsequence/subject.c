#include "../common/comer.h"

long distinct_subsequences(const char *text, int m, const char *wanted, int n);

enum { LENGTH1, DIGITS, SIGNS, LENGTH2, INSIDE, DATA };

void run(const double *test, Output *output) {
    char text[64] = {0}, wanted[64] = {0};
    int m = (int)test[LENGTH1], n = (int)test[LENGTH2];
    for (int i = 0; i < m; i++)
        text[i] = make_character(test[DATA], 1, i, test[DIGITS], test[SIGNS]);
    for (int j = 0; j < n; j++) {
        int from = j + (j >= n / 2);
        wanted[j] = test[INSIDE] > 0 && from < m ? text[from] : make_character(test[DATA], 2, j, test[DIGITS], test[SIGNS]);
    }
    put(output, (double)distinct_subsequences(text, m, wanted, n));
}

RULE(not_lower) {
    UNUSED_TESTS;
    return second->value[0] >= first->value[0];
}

RULES({"one more character", not_lower})
