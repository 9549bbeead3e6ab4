/* Nested loops over a table that is computed: row by row. */
#include <twinrun.h>

static long long table(int rows, int columns, int a, int b) {
    long long sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) sum += a * r + b * c;
    return sum;
}

RELATION(true_transposed) {
    int rows = tw_i32("rows", 0, 6), columns = tw_i32("columns", 0, 6), a = tw_i32("a", -100, 100), b = tw_i32("b", -100, 100);
    long long source = RUN(table(rows, columns, a, b));
    long long follow_up = RUN(table(columns, rows, b, a));
    CHECK_EQ(source, follow_up);
}

RELATION(false_transposed) {
    int rows = tw_i32("rows", 0, 6), columns = tw_i32("columns", 0, 6), a = tw_i32("a", -100, 100), b = tw_i32("b", -100, 100);
    long long source = RUN(table(rows, columns, a, b));
    long long follow_up = RUN(table(columns, rows, a, b));
    CHECK_EQ(source, follow_up);
}
