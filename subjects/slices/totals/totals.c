/* totals: reads contingency tables from standard input and prints for each twice Kullback's information measure, its degrees of
 * freedom and the probability that chance alone gives as much, and the same for all of them together.
 *
 * A table is its number of rows and of columns, then the counts row by row. Empty lines and lines that begin with # are skipped;
 * other lines outside a table are an error.
 *
 * Written after the public description of tot_info in the Siemens suite (Hutchins et al., 1994). The tail of the chi-square
 * distribution is an incomplete gamma function, by its series or its continued fraction (Abramowitz and Stegun, 6.5.29 and 6.5.31). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 256, MOST_CELLS = 1000, MOST_SIDE = 100 };

/* ---- The gamma function ---- */

/* ln Γ(x) for x > 0 (Lanczos, 1964). */
static double log_gamma(double x) {
    static const double coefficients[] = {76.18009173,   -86.50532033,   24.01409822,
                                          -1.231739516,  0.120858003e-2, -0.536382e-5};
    double shifted = x - 1.0;
    double base = shifted + 5.5;
    double series = 1.0;
    base -= (shifted + 0.5) * log(base);
    for (int i = 0; i < 6; i++) {
        shifted += 1.0;
        series += coefficients[i] / shifted;
    }
    return -base + log(2.50662827465 * series);
}

enum { MOST_TERMS = 500 };
static const double precision = 1e-12;

/* P(a, x) by its series, for x < a + 1. */
static double lower_gamma(double a, double x) {
    if (x <= 0.0)
        return 0.0;
    double denominator = a;
    double term = 1.0 / a;
    double sum = term;
    for (int i = 0; i < MOST_TERMS; i++) {
        denominator += 1.0;
        term *= x / denominator;
        sum += term;
        if (fabs(term) < fabs(sum) * precision)
            break;
    }
    return sum * exp(-x + a * log(x) - log_gamma(a));
}

/* Q(a, x) by its continued fraction, for x >= a + 1 (Lentz's method). */
static double upper_gamma(double a, double x) {
    const double tiny = 1e-300;
    double b = x + 1.0 - a;
    double c = 1.0 / tiny;
    double d = 1.0 / b;
    double fraction = d;
    for (int i = 1; i <= MOST_TERMS; i++) {
        double an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        if (fabs(d) < tiny)
            d = tiny;
        c = b + an / c;
        if (fabs(c) < tiny)
            c = tiny;
        d = 1.0 / d;
        double factor = d * c;
        fraction *= factor;
        if (fabs(factor - 1.0) < precision)
            break;
    }
    return fraction * exp(-x + a * log(x) - log_gamma(a));
}

/* The probability of a chi-square of at least this, with so many degrees of freedom. */
static double chi_square_tail(double chi_square, int freedom) {
    double a = 0.5 * freedom;
    double x = 0.5 * chi_square;
    if (freedom < 1)
        return 1.0;
    if (x <= 0.0)
        return 1.0;
    if (x < a + 1.0)
        return 1.0 - lower_gamma(a, x);
    return upper_gamma(a, x);
}

/* ---- Tables ---- */

typedef enum { MEASURED, TOO_SMALL, NEGATIVE_COUNT, NO_COUNTS } Status;

typedef struct {
    int rows, columns;
    int counts[MOST_CELLS];
} Table;

typedef struct {
    double information;
    int freedom;
} Measure;

static int count_at(const Table *table, int row, int column) {
    return table->counts[row * table->columns + column];
}

static double times_log(double x) {
    if (x <= 0.0)
        return 0.0;
    return x * log(x);
}

/* Twice the information: Σ n ln n over the cells, less that over the sums of the rows and of the columns, plus that of the total. */
static Status measure(const Table *table, Measure *result) {
    double row_sums[MOST_SIDE];
    double column_sums[MOST_SIDE];
    double total = 0.0;
    double information = 0.0;

    result->information = 0.0;
    result->freedom = 0;
    if (table->rows <= 1 || table->columns <= 1)
        return TOO_SMALL;
    for (int column = 0; column < table->columns; column++)
        column_sums[column] = 0.0;
    for (int row = 0; row < table->rows; row++) {
        row_sums[row] = 0.0;
        for (int column = 0; column < table->columns; column++) {
            int count = count_at(table, row, column);
            if (count < 0)
                return NEGATIVE_COUNT;
            row_sums[row] += count;
            column_sums[column] += count;
            information += times_log(count);
        }
        total += row_sums[row];
    }
    if (total <= 0.0)
        return NO_COUNTS;
    for (int row = 0; row < table->rows; row++)
        information -= times_log(row_sums[row]);
    for (int column = 0; column < table->columns; column++)
        information -= times_log(column_sums[column]);
    information += times_log(total);
    result->information = 2.0 * information;
    if (result->information < 0.0)
        result->information = 0.0; /* rounding */
    result->freedom = (table->rows - 1) * (table->columns - 1);
    return MEASURED;
}

/* ---- Input and output ---- */

static bool is_blank(const char *line) {
    return line[strspn(line, " \t\r\n")] == '\0';
}

typedef enum { TABLE_READ, END_OF_TABLES, BAD_LINE, BAD_SIZE, BAD_COUNT } ReadStatus;

static ReadStatus read_table(Table *table) {
    char line[MOST_LINE];
    do {
        if (fgets(line, sizeof line, stdin) == NULL)
            return END_OF_TABLES;
    } while (is_blank(line) || line[0] == '#');
    if (sscanf(line, "%d %d", &table->rows, &table->columns) != 2)
        return BAD_LINE;
    if (table->rows <= 0 || table->columns <= 0 || table->rows > MOST_SIDE || table->columns > MOST_SIDE)
        return BAD_SIZE;
    if (table->rows * table->columns > MOST_CELLS)
        return BAD_SIZE;
    for (int i = 0; i < table->rows * table->columns; i++) {
        if (scanf("%d", &table->counts[i]) != 1)
            return BAD_COUNT;
    }
    return TABLE_READ;
}

static void print_measure(const char *name, const Measure *result) {
    double tail = chi_square_tail(result->information, result->freedom);
    printf("%s info %.6f df %d q %.6f\n", name, result->information, result->freedom, tail);
}

static void print_failure(Status status) {
    switch (status) {
    case TOO_SMALL:
        printf("table too small\n");
        break;
    case NEGATIVE_COUNT:
        printf("table with a negative count\n");
        break;
    case NO_COUNTS:
        printf("table without counts\n");
        break;
    case MEASURED:
        break;
    }
}

static int complain(ReadStatus status) {
    switch (status) {
    case BAD_LINE:
        printf("expected the size of a table\n");
        return 1;
    case BAD_SIZE:
        printf("bad size of a table\n");
        return 1;
    case BAD_COUNT:
        printf("expected a count\n");
        return 1;
    default:
        return 0;
    }
}

int main(void) {
    static Table table;
    Measure total = {0.0, 0};
    ReadStatus status = read_table(&table);
    while (status == TABLE_READ) {
        Measure result;
        Status measured = measure(&table, &result);
        if (measured == MEASURED) {
            print_measure("table", &result);
            total.information += result.information;
            total.freedom += result.freedom;
        } else {
            print_failure(measured);
        }
        status = read_table(&table);
    }
    if (total.freedom > 0)
        print_measure("total", &total);
    return complain(status);
}
