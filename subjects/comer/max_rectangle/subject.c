#include "../common/comer.h"

enum { SIDE = 34 };
int max_rectangle(char board[SIDE][SIDE], int rows, int columns);

enum { ROWS, COLUMNS, KIND, SHARE, HAS_SHARE, DATA };

static char square(const double *test, int i, int j) {
    double share = test[HAS_SHARE] > 0 ? test[SHARE] : 0.8;
    int one = element(test[DATA], 1, i * 64 + j, 1000) < share * 1000;
    switch ((int)test[KIND]) {
    case 0: return one ? '1' : '0';
    case 1: return '0';
    case 2: return i == j && one ? '1' : '0';
    case 3: return i <= j && one ? '1' : '0';
    default: return i >= j && one ? '1' : '0';
    }
}

void run(const double *test, Output *output) {
    static char board[SIDE][SIDE];
    int rows = (int)test[ROWS], columns = (int)test[COLUMNS];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            board[i][j] = square(test, i, j);
    put(output, max_rectangle(board, rows, columns));
}

RULE(not_lower) {
    UNUSED_TESTS;
    return second->value[0] >= first->value[0];
}

RULES({"one more row", not_lower}, {"one more column", not_lower})
