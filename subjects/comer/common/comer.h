/* What the subjects of the study share. A test is a vector of numbers in the order of the model's parameters; a subject builds
 * the program's inputs from it, runs the program, and says for each relation whether the outputs of two tests agree with it.
 * Inputs are made so that a longer array, text or matrix begins with the shorter one of the same data: a follow-up that adds
 * something differs from its source in nothing else. */
#ifndef COMER_H
#define COMER_H

enum { MOST_OUTPUT = 1024 };

typedef struct {
    int count;
    double value[MOST_OUTPUT];
} Output;

typedef struct {
    const char *name;
    /* Whether the outputs of a source and of its follow-up satisfy the relation. */
    int (*holds)(const double *source, const Output *first, const double *follow, const Output *second);
} Rule;

extern const Rule rules[];
extern const int rule_count;

/* Runs the program on one test. */
void run(const double *test, Output *output);

#define RULE(name) static int name(const double *source, const Output *first, const double *follow, const Output *second)
#define RULES(...)                                  \
    const Rule rules[] = {__VA_ARGS__};             \
    const int rule_count = sizeof rules / sizeof rules[0];
#define UNUSED_TESTS ((void)source, (void)follow)

__attribute__((unused)) static void put(Output *output, double value) {
    if (output->count < MOST_OUTPUT)
        output->value[output->count++] = value;
}

__attribute__((unused)) static int same_output(const Output *a, const Output *b) {
    if (a->count != b->count)
        return 0;
    for (int i = 0; i < a->count; i++)
        if (a->value[i] != b->value[i])
            return 0;
    return 1;
}

/* The i-th number of a stream of the data, in 0 … bound - 1. */
__attribute__((unused)) static int element(double data, int stream, int i, int bound) {
    unsigned x = (unsigned)data * 2654435761u + (unsigned)stream * 40503u + (unsigned)i * 2246822519u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    x *= 3266489917u;
    x ^= x >> 16;
    return (int)(x % (unsigned)bound);
}

/* Numbers for the sorting and searching programs: `negative` numbers below zero, `positive` above, `zero` zeros; the first
 * `same - zero` of each sign are equal. Magnitudes depend on the index alone, so that swapping the signs negates the array. */
__attribute__((unused)) static int make_numbers(int *a, int same, int negative, int positive, int zero, double data) {
    int n = 0;
    int equal = same - zero;
    int longest = negative > positive ? negative : positive;
    if (zero > longest)
        longest = zero;
    for (int i = 0; i < longest; i++) {
        int magnitude = 1 + (i < equal ? element(data, 0, 0, 50) : element(data, 1, i, 50));
        if (i < negative)
            a[n++] = -magnitude;
        if (i < zero)
            a[n++] = 0;
        if (i < positive)
            a[n++] = magnitude;
    }
    return n;
}

/* Order 0 ascends, 1 descends, 2 is mixed. */
__attribute__((unused)) static void put_in_order(int *a, int n, int order, double data) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
    if (order == 1)
        for (int i = 0; i < n / 2; i++) {
            int t = a[i];
            a[i] = a[n - 1 - i];
            a[n - 1 - i] = t;
        }
    if (order == 2)
        for (int i = n - 1; i > 0; i--) {
            int j = element(data, 2, i, i + 1);
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
}

/* The i-th character of a text with shares of digits and signs; the rest are letters. */
__attribute__((unused)) static char make_character(double data, int stream, int i, double digits, double signs) {
    double share = element(data, stream, i, 1000) / 1000.0;
    int pick = element(data, stream + 100, i, 2);
    if (share < digits)
        return (char)('0' + pick);
    if (share < digits + signs)
        return pick ? '+' : '-';
    return (char)('a' + pick);
}

#endif
