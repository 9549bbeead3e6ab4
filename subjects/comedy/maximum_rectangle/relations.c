#include <twinrun.h>

#include "maximum_rectangle.h"

enum { MOST = 5 };

static int run(const char matrix[MOST_SIDE][MOST_SIDE], int rows, int columns) {
    for (int row = 0; row < rows; row++) GIVEN_BYTES("row", matrix[row], columns);
    Rectangle best = RUN(maximum_rectangle(matrix, rows, columns));
    OUTPUT("area", best.area);
    OUTPUT("height", best.height);
    OUTPUT("width", best.width);
    return best.area;
}

RELATION(transpose) {
    char matrix[MOST_SIDE][MOST_SIDE], transposed[MOST_SIDE][MOST_SIDE];
    int rows = tw_len("rows", 1, MOST), columns = tw_len("columns", 1, MOST);
    for (int row = 0; row < rows; row++) {
        char line[MOST + 1];
        tw_text_between("row", line, columns, columns, "01");
        TW_COPY(matrix[row], line, columns);
    }
    TW_TRANSPOSE(transposed, matrix, rows, columns);
    int source = run(matrix, rows, columns);
    int follow_up = run(transposed, columns, rows);
    CHECK_EQ(source, follow_up);
}
