/* Nested loops: the sum of a matrix, by rows. */
#include <twinrun.h>

static int total(const int *matrix, int rows, int columns) {
    int sum = 0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) sum += matrix[r * columns + c];
    }
    return sum;
}

static int matrix[12], transposed[12];

RELATION(true_transposed) {
    int rows = tw_len("rows", 1, 3), columns = tw_len("columns", 1, 4);
    tw_i32s("matrix", matrix, rows * columns, -1000, 1000);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) transposed[c * rows + r] = matrix[r * columns + c];
    int source = RUN(total(matrix, rows, columns));
    int follow_up = RUN(total(transposed, columns, rows));
    CHECK_EQ(source, follow_up);
}

RELATION(false_without_a_row) {
    int rows = tw_len("rows", 2, 3), columns = tw_len("columns", 1, 4);
    tw_i32s("matrix", matrix, rows * columns, -1000, 1000);
    int source = RUN(total(matrix, rows, columns));
    int follow_up = RUN(total(matrix, rows - 1, columns));
    CHECK_EQ(source, follow_up);
}
