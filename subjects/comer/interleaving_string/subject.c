#include "../common/comer.h"

int is_interleaving(const char *a, const char *b, const char *mixed);

enum { LENGTH1, DIGITS1, SIGNS1, LENGTH2, DIGITS2, SIGNS2, MIXES, TAIL, DATA };

void run(const double *test, Output *output) {
    char a[64], b[64], mixed[128];
    int tail = (int)test[TAIL], m = (int)test[LENGTH1] - tail, n = (int)test[LENGTH2];
    for (int i = 0; i < m; i++)
        a[i] = make_character(test[DATA], 1, i, test[DIGITS1], test[SIGNS1]);
    for (int j = 0; j < n; j++)
        b[j] = make_character(test[DATA], 2, j, test[DIGITS2], test[SIGNS2]);
    int i = 0, j = 0, k = 0;
    while (i < m || j < n) {
        int from_a = j == n || (i < m && element(test[DATA], 3, k, 2));
        mixed[k++] = from_a ? a[i++] : b[j++];
    }
    if (test[MIXES] == 0 && k > 1) {
        /* Usually no longer an interleaving. */
        int at = element(test[DATA], 4, 0, k - 1);
        char t = mixed[at];
        mixed[at] = mixed[k - 1];
        mixed[k - 1] = t;
    }
    for (int t = 0; t < tail; t++)
        a[m + t] = mixed[k + t] = '#';
    a[m + tail] = b[n] = mixed[k + tail] = 0;
    put(output, is_interleaving(a, b, mixed));
}

RULE(same_answer) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"append", same_answer})
