#include <twinrun.h>

#include "matrix_search.h"

enum { MOST = 4 };

static bool run(const int matrix[][MOST_COLUMNS], int rows, int columns, int key) {
    for (int row = 0; row < rows; row++) GIVEN_I32S("matrix", matrix[row], columns);
    GIVEN("key", key);
    bool found = RUN(matrix_search(matrix, rows, columns, key));
    OUTPUT("found", found);
    return found;
}

RELATION(transpose) {
    int matrix[MOST][MOST_COLUMNS], transposed[MOST][MOST_COLUMNS];
    int rows = tw_len("rows", 1, MOST), columns = tw_len("columns", 1, MOST);
    /* Steps between neighbours, summed up, make the rows and the columns ascend. */
    tw_i32_matrix("steps", &matrix[0][0], MOST_COLUMNS, rows, columns, 1, 4);
    int key = tw_i32("key", 0, 66);
    for (int row = 0; row < rows; row++)
        for (int column = 1; column < columns; column++) matrix[row][column] += matrix[row][column - 1];
    for (int row = 1; row < rows; row++)
        for (int column = 0; column < columns; column++) matrix[row][column] += matrix[row - 1][column];
    TW_TRANSPOSE(transposed, matrix, rows, columns);
    bool source = run(matrix, rows, columns, key);
    bool follow_up = run(transposed, columns, rows, key);
    CHECK_EQ(source, follow_up);
}
