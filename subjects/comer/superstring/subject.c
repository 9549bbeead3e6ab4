#include "../common/comer.h"

enum { TEXTS = 40, ROOM = 256 };
void superstring(char texts[TEXTS][ROOM], int count, char *out);

enum { COUNT, SHORT, MEDIUM, DIGITS, SIGNS, REPEATED, DATA };

void run(const double *test, Output *output) {
    static char texts[TEXTS][ROOM];
    char out[ROOM * 2] = {0};
    int n = (int)test[COUNT];
    for (int i = 0; i < n; i++) {
        double share = element(test[DATA], 1, i, 1000) / 1000.0;
        int length = share < test[SHORT] ? 1 : share < test[SHORT] + test[MEDIUM] ? 2 + element(test[DATA], 2, i, 3) : 5 + element(test[DATA], 2, i, 4);
        for (int k = 0; k < length; k++)
            texts[i][k] = make_character(test[DATA], 3 + i, k, test[DIGITS], test[SIGNS]);
        texts[i][length] = 0;
    }
    if (test[REPEATED] > 0) {
        int from = element(test[DATA], 60, 0, n);
        int k = 0;
        do
            texts[n][k] = texts[from][k];
        while (texts[from][k++]);
        n++;
    }
    superstring(texts, n, out);
    for (int i = 0; out[i]; i++)
        put(output, out[i]);
}

RULE(same_text) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"repeat", same_text})
