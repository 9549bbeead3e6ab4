/* The first three relations are published (Xie et al., 2013). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <twinrun.h>

enum { MOST_TABLES = 3, MOST_ROWS = 8, MOST_COLUMNS = 4, ROOM = 2048 };

typedef struct {
    int rows, columns;
    int counts[MOST_ROWS][MOST_COLUMNS];
} Table;

typedef struct {
    int count;
    Table tables[2 * MOST_TABLES];
} Tables;

static Tables draw(void) {
    Tables tables = {0};
    tables.count = tw_len("tables", 1, MOST_TABLES);
    for (int i = 0; i < tables.count; i++) {
        Table *table = &tables.tables[i];
        table->rows = tw_len("rows", 1, 4);
        table->columns = tw_len("columns", 1, MOST_COLUMNS);
        tw_i32_matrix("counts", &table->counts[0][0], MOST_COLUMNS, table->rows, table->columns, 0, 50);
    }
    return tables;
}

typedef struct {
    double information;
    int freedom;
    double tail;
} Measure;

typedef struct {
    int count;
    Measure tables[2 * MOST_TABLES]; /* freedom 0: none */
    Measure total;
} Answer;

static Answer run(const Tables *tables) {
    char in[ROOM], out[ROOM];
    int length = 0;
    for (int i = 0; i < tables->count; i++) {
        const Table *table = &tables->tables[i];
        length += snprintf(in + length, ROOM - length, "# table\n%d %d\n", table->rows, table->columns);
        for (int row = 0; row < table->rows; row++) {
            for (int column = 0; column < table->columns; column++)
                length += snprintf(in + length, ROOM - length, "%d ", table->counts[row][column]);
            length += snprintf(in + length, ROOM - length, "\n");
        }
        length += snprintf(in + length, ROOM - length, "\n");
    }
    GIVEN_TEXT("tables", in);
    int exit_code = tw_run_program(NULL, 0, in, length, out, sizeof out);
    OUTPUT_TEXT("out", out);
    CHECK_EQ(exit_code, 0);
    Answer answer = {0};
    for (const char *line = out; *line;) {
        Measure measure = {0};
        bool total = strncmp(line, "total", 5) == 0;
        const char *info = strstr(line, "info "), *end = strchr(line, '\n');
        if (info && end && info < end) {
            char *p;
            measure.information = strtod(info + 5, &p);
            measure.freedom = (int)strtol(p + 4, &p, 10);
            measure.tail = strtod(p + 3, &p);
        }
        if (total) answer.total = measure;
        else if (answer.count < 2 * MOST_TABLES) answer.tables[answer.count++] = measure;
        if (!end) break;
        line = end + 1;
    }
    CHECK_EQ(answer.count, tables->count);
    return answer;
}

static const double tolerance = 2e-5; /* six printed digits, summed and multiplied */

/* All tables twice: twice the information, twice the freedom. */
RELATION(duplicate_file) {
    Tables tables = draw();
    Answer source = run(&tables);
    for (int i = 0; i < tables.count; i++) tables.tables[tables.count + i] = tables.tables[i];
    tables.count *= 2;
    Answer follow_up = run(&tables);
    CHECK_NEAR(2 * source.total.information, follow_up.total.information, tolerance);
    CHECK_EQ(2 * source.total.freedom, follow_up.total.freedom);
}

/* The rows of one table twice: twice its information, rows × (columns - 1) more freedom. */
RELATION(duplicate_rows) {
    Tables tables = draw();
    int which = tw_i32("which", 0, tables.count - 1);
    Table *table = &tables.tables[which];
    Answer source = run(&tables);
    ASSUME(source.tables[which].freedom > 0);
    for (int row = 0; row < table->rows; row++) TW_COPY(table->counts[table->rows + row], table->counts[row], table->columns);
    int more = table->rows * (table->columns - 1);
    table->rows *= 2;
    Answer follow_up = run(&tables);
    CHECK_NEAR(2 * source.tables[which].information, follow_up.tables[which].information, tolerance);
    CHECK_EQ(source.tables[which].freedom + more, follow_up.tables[which].freedom);
    CHECK_EQ(source.total.freedom + more, follow_up.total.freedom);
}

/* The counts of one table multiplied: so is its information; its freedom stays. */
RELATION(multiply) {
    Tables tables = draw();
    int which = tw_i32("which", 0, tables.count - 1), factor = tw_i32("factor", 2, 10);
    Table *table = &tables.tables[which];
    Answer source = run(&tables);
    for (int row = 0; row < table->rows; row++) TW_MULTIPLY(table->counts[row], table->columns, factor);
    Answer follow_up = run(&tables);
    CHECK_NEAR(factor * source.tables[which].information, follow_up.tables[which].information, tolerance);
    CHECK_EQ(source.tables[which].freedom, follow_up.tables[which].freedom);
    CHECK_LE(follow_up.tables[which].tail, source.tables[which].tail + 1e-6);
}

static void check_same(const Measure *a, const Measure *b) {
    CHECK_NEAR(a->information, b->information, tolerance);
    CHECK_EQ(a->freedom, b->freedom);
    CHECK_NEAR(a->tail, b->tail, tolerance);
}

/* Rows and columns exchanged. */
RELATION(transpose) {
    Tables tables = draw();
    int which = tw_i32("which", 0, tables.count - 1);
    Table *table = &tables.tables[which], transposed = {.rows = table->columns, .columns = table->rows};
    TW_TRANSPOSE(transposed.counts, table->counts, table->rows, table->columns);
    Answer source = run(&tables);
    *table = transposed;
    Answer follow_up = run(&tables);
    check_same(&source.tables[which], &follow_up.tables[which]);
    check_same(&source.total, &follow_up.total);
}

/* The tables in another order: the same answers in that order. */
RELATION(permute_tables) {
    Tables tables = draw(), permuted;
    int permutation[MOST_TABLES];
    tw_permutation("permutation", permutation, tables.count);
    permuted.count = tables.count;
    for (int i = 0; i < tables.count; i++) permuted.tables[i] = tables.tables[permutation[i]];
    Answer source = run(&tables);
    Answer follow_up = run(&permuted);
    for (int i = 0; i < tables.count; i++) check_same(&source.tables[permutation[i]], &follow_up.tables[i]);
    check_same(&source.total, &follow_up.total);
}

/* A table with two rows (of more than two) added up has no more information. */
RELATION(add_rows) {
    Tables tables = draw();
    int which = tw_i32("which", 0, tables.count - 1);
    Table *table = &tables.tables[which];
    ASSUME(table->rows > 2);
    Answer source = run(&tables);
    table->rows--;
    for (int column = 0; column < table->columns; column++) table->counts[0][column] += table->counts[table->rows][column];
    Answer follow_up = run(&tables);
    CHECK_LE(follow_up.tables[which].information, source.tables[which].information + tolerance);
}
