/* Regions of O that touch no edge are captured: they become X. */
enum { SIDE = 34 };

void capture(char board[SIDE][SIDE], int rows, int columns);

static void reach(char board[SIDE][SIDE], int rows, int columns, int row, int column) {
    if (row < 0 || row >= rows || column < 0 || column >= columns)
        return;
    if (board[row][column] != 'O')
        return;
    board[row][column] = 'S';
    reach(board, rows, columns, row - 1, column);
    reach(board, rows, columns, row + 1, column);
    reach(board, rows, columns, row, column - 1);
    reach(board, rows, columns, row, column + 1);
}

void capture(char board[SIDE][SIDE], int rows, int columns) {
    for (int row = 0; row < rows; row++) {
        reach(board, rows, columns, row, 0);
        reach(board, rows, columns, row, columns - 1);
    }
    for (int column = 0; column < columns; column++) {
        reach(board, rows, columns, 0, column);
        reach(board, rows, columns, rows - 1, column);
    }
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            if (board[row][column] == 'O')
                board[row][column] = 'X';
            if (board[row][column] == 'S')
                board[row][column] = 'O';
        }
    }
}
