#include <twinrun.h>

#include "surrounded_region.h"

enum { MOST = 5 };

static void run(char board[MOST_SIDE][MOST_SIDE], int rows, int columns) {
    for (int row = 0; row < rows; row++) GIVEN_BYTES("row", board[row], columns);
    RUN(capture_surrounded(board, rows, columns));
    for (int row = 0; row < rows; row++) OUTPUT_BYTES("row", board[row], columns);
}

RELATION(transpose) {
    char board[MOST_SIDE][MOST_SIDE], transposed[MOST_SIDE][MOST_SIDE], back[MOST_SIDE][MOST_SIDE];
    int rows = tw_len("rows", 1, MOST), columns = tw_len("columns", 1, MOST);
    for (int row = 0; row < rows; row++) {
        char line[MOST + 1];
        tw_text_between("row", line, columns, columns, "XO");
        TW_COPY(board[row], line, columns);
    }
    TW_TRANSPOSE(transposed, board, rows, columns);
    run(board, rows, columns);
    run(transposed, columns, rows);
    TW_TRANSPOSE(back, transposed, columns, rows);
    for (int row = 0; row < rows; row++) CHECK_BYTES(board[row], columns, back[row], columns);
}
