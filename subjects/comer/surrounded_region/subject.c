#include "../common/comer.h"

enum { SIDE = 34 };
void capture(char board[SIDE][SIDE], int rows, int columns);

enum { ROWS, COLUMNS, KIND, SHARE, HAS_SHARE, EDGE_ROWS, EDGE_COLUMNS, DATA };

static char square(const double *test, int i, int j) {
    double share = test[HAS_SHARE] > 0 ? test[SHARE] : 0.6;
    int x = element(test[DATA], 1, i * 64 + j, 1000) < share * 1000;
    switch ((int)test[KIND]) {
    case 0: return x ? 'X' : 'O';
    case 1: return 'O';
    case 2: return i == j && !x ? 'O' : 'X';
    case 3: return i <= j && !x ? 'O' : 'X';
    default: return i >= j && !x ? 'O' : 'X';
    }
}

void run(const double *test, Output *output) {
    static char board[SIDE][SIDE];
    int rows = (int)test[ROWS], columns = (int)test[COLUMNS];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            board[i][j] = i >= rows - (int)test[EDGE_ROWS] || j >= columns - (int)test[EDGE_COLUMNS] ? 'O' : square(test, i, j);
    capture(board, rows, columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            put(output, board[i][j]);
}

/* The source's board inside the follow-up's, and O everywhere else. */
RULE(added) {
    int columns = (int)source[COLUMNS], wide = (int)follow[COLUMNS];
    int inner_rows = (int)(source[ROWS] - source[EDGE_ROWS]), inner_columns = (int)(source[COLUMNS] - source[EDGE_COLUMNS]);
    for (int i = 0; i < (int)follow[ROWS]; i++)
        for (int j = 0; j < wide; j++) {
            double expected = i < inner_rows && j < inner_columns ? first->value[i * columns + j] : 'O';
            if (second->value[i * wide + j] != expected)
                return 0;
        }
    return 1;
}

RULES({"row at the edge", added}, {"column at the edge", added})
