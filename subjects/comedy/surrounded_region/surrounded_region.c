/* Captures every region of O that is surrounded by X: all its cells become X. A region that reaches the border is not surrounded. */
#include "surrounded_region.h"

enum { MOST_CELLS = MOST_SIDE * MOST_SIDE };

typedef struct {
    int row, column;
} Cell;

/* The cells whose neighbours are still to be looked at. */
typedef struct {
    Cell cells[MOST_CELLS];
    int first;
    int end;
} Queue;

/* Marks a free cell as safe. */
static void reach(char board[MOST_SIDE][MOST_SIDE], int rows, int columns, Queue *queue, int row, int column) {
    if (row < 0 || row >= rows)
        return;
    if (column < 0 || column >= columns)
        return;
    if (board[row][column] != 'O')
        return;
    board[row][column] = 'S';
    queue->cells[queue->end].row = row;
    queue->cells[queue->end].column = column;
    queue->end++;
}

void capture_surrounded(char board[MOST_SIDE][MOST_SIDE], int rows, int columns) {
    Queue queue;
    queue.first = 0;
    queue.end = 0;

    for (int row = 0; row < rows; row++) {
        reach(board, rows, columns, &queue, row, 0);
        reach(board, rows, columns, &queue, row, columns - 1);
    }
    for (int column = 0; column < columns; column++) {
        reach(board, rows, columns, &queue, 0, column);
        reach(board, rows, columns, &queue, rows - 1, column);
    }

    while (queue.first < queue.end) {
        Cell cell = queue.cells[queue.first];
        queue.first++;
        reach(board, rows, columns, &queue, cell.row - 1, cell.column);
        reach(board, rows, columns, &queue, cell.row + 1, cell.column);
        reach(board, rows, columns, &queue, cell.row, cell.column - 1);
        reach(board, rows, columns, &queue, cell.row, cell.column + 1);
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
