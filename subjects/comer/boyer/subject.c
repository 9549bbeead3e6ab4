#include "../common/comer.h"

int find(const char *text, int n, const char *pattern, int m);

enum { DIGITS, REPEAT1, LETTERS, REPEAT2, SIGNS, REPEAT3, POSITION, SHORTER, DATA, MOST = 256 };

static int part(char *text, int n, const double *test, int count, int repeat, int stream, const char *alphabet, int size) {
    for (int i = 0; i < count; i++) {
        char c = alphabet[element(test[DATA], stream, i, size)];
        for (int k = 0; k <= repeat && n < MOST - 1; k++)
            text[n++] = c;
    }
    return n;
}

/* Digits, letters, then signs. The pattern is a part of the text before the signs, if there is any. */
void run(const double *test, Output *output) {
    char text[MOST], pattern[8];
    int n = part(text, 0, test, (int)test[DIGITS], (int)test[REPEAT1], 1, "01", 2);
    n = part(text, n, test, (int)test[LETTERS], (int)test[REPEAT2], 2, "ab", 2);
    int base = n;
    n = part(text, n, test, (int)test[SIGNS], (int)test[REPEAT3], 3, "+-", 2);
    if (base == 0)
        base = n;
    int m = 2 + element(test[DATA], 4, 0, 4);
    if (m > base)
        m = base;
    int from = test[POSITION] == 2 ? (base - m) / 2 : test[POSITION] == 3 ? base - m : 0;
    for (int i = 0; i < m; i++)
        pattern[i] = text[from + i];
    if (test[POSITION] == 0)
        pattern[0] = '@';
    if (test[SHORTER] > 0 && m > 1)
        m--;
    put(output, find(text, n, pattern, m));
}

RULE(same_index) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULE(not_higher) {
    UNUSED_TESTS;
    return first->value[0] < 0 || (second->value[0] >= 0 && second->value[0] <= first->value[0]);
}

RULES({"after the text", same_index}, {"shorter pattern", not_higher})
