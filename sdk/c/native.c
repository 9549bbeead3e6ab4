/* native.c: answers the primitives of twinrun.h natively from a saved case, so that it can be replayed under gdb or a sanitiser.
 *
 *     ./replay RELATION CASE_FILE [PROGRAM]
 *
 * The case file has one input a line, fields separated by tabs: kind, name, count, then the values (text in hexadecimal).
 * Exit code: 0 holds, 1 violated, 4 discarded; a crash is a crash.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "twinrun.h"

enum { MOST_RELATIONS = 1000, MOST_INPUTS = 10000 };

static struct { const char *name; void (*relation)(void); } relations[MOST_RELATIONS];
static int relation_count;
static char *lines[MOST_INPUTS];
static int line_count, next_line, run_count;
static const char *program_path;
static char *program_streams[3];
static int program_lengths[3];

void tw__register(const char *name, void (*relation)(void)) {
    if (relation_count == MOST_RELATIONS) abort();
    relations[relation_count].name = name;
    relations[relation_count++].relation = relation;
}

static _Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "replay: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(3);
}

/* The values of the next input, which must have this name; *count says how many. */
static char *input(const char *name, int length, long *count) {
    if (next_line == line_count) fail("the case has no input for %.*s: is it a case of another relation?", length, name);
    char *line = lines[next_line++];
    char *saved = strchr(line, '\t');
    char *end = saved ? strchr(saved + 1, '\t') : NULL;
    if (!end) fail("malformed line %d in the case", next_line);
    if (end - saved - 1 != length || memcmp(saved + 1, name, length))
        fail("the case has %.*s where the relation asks for %.*s", (int)(end - saved - 1), saved + 1, length, name);
    char *values;
    *count = strtol(end + 1, &values, 10);
    printf("  %.*s =%s\n", length, name, values);
    return values;
}

int64_t tw__int(const char *name, int length, int kind, int64_t lo, int64_t hi) {
    (void)kind, (void)lo, (void)hi;
    long count;
    return strtoll(input(name, length, &count), NULL, 10);
}

double tw__float(const char *name, int length, double lo, double hi) {
    (void)lo, (void)hi;
    long count;
    return strtod(input(name, length, &count), NULL);
}

void tw__ints(const char *name, int length, int kind, void *out, int rows, int columns, int64_t lo, int64_t hi) {
    (void)lo, (void)hi;
    long count, wanted = rows < 0 ? columns : (long)rows * columns;
    char *values = input(name, length, &count);
    if (count != wanted) fail("%.*s has %ld elements, the relation asks for %ld", length, name, count, wanted);
    for (long i = 0; i < count; i++) {
        int64_t value = strtoll(values, &values, 10);
        switch (kind) {
        case TW_U8: ((uint8_t *)out)[i] = (uint8_t)value; break;
        case TW_I16: ((int16_t *)out)[i] = (int16_t)value; break;
        case TW_I64: ((int64_t *)out)[i] = value; break;
        default: ((int32_t *)out)[i] = (int32_t)value;
        }
    }
}

void tw__floats(const char *name, int length, double *out, int rows, int columns, double lo, double hi) {
    (void)lo, (void)hi;
    long count, wanted = rows < 0 ? columns : (long)rows * columns;
    char *values = input(name, length, &count);
    if (count != wanted) fail("%.*s has %ld elements, the relation asks for %ld", length, name, count, wanted);
    for (long i = 0; i < count; i++) out[i] = strtod(values, &values);
}

int tw__text(const char *name, int length, void *out, int min, int max, const char *alphabet, int alphabet_length) {
    (void)min, (void)alphabet, (void)alphabet_length;
    long count;
    char *values = input(name, length, &count);
    if (count > max) fail("%.*s has %ld bytes, the relation allows %d", length, name, count, max);
    while (*values == '\t') values++;
    for (long i = 0; i < count; i++) {
        unsigned byte;
        if (sscanf(values + 2 * i, "%2x", &byte) != 1) fail("malformed text for %.*s", length, name);
        ((uint8_t *)out)[i] = (uint8_t)byte;
    }
    return (int)count;
}

void tw__permutation(const char *name, int length, int32_t *out, int n) { tw__ints(name, length, TW_I32, out, -1, n, 0, n); }

int tw__ops(const char *name, int length, void *out, int max, const char *spec, int spec_length) {
    (void)spec, (void)spec_length;
    long count;
    char *values = input(name, length, &count);
    if (count > max) fail("%.*s has %ld operations, the relation allows %d", length, name, count, max);
    for (long i = 0; i < 4 * count; i++) ((int32_t *)out)[i] = (int32_t)strtol(values, &values, 10);
    return (int)count;
}

void tw__run_begin(void) { printf("run %d\n", ++run_count); }
void tw__run_end(void) { fflush(stdout); }

void tw__assume(int condition) {
    if (condition) return;
    printf("discarded: an assumption does not hold\n");
    exit(4);
}

static void verdict(int holds, const char *text, int length, int line, const char *format, ...) {
    if (holds) return;
    va_list arguments;
    va_start(arguments, format);
    printf("violated: %.*s (line %d)", length, text, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    fflush(stdout);
    exit(1);
}

#define HOLDS(op, l, r) \
    ((op) == 1 ? (l) == (r) : (op) == 2 ? (l) != (r) : (op) == 3 ? (l) <= (r) : (op) == 4 ? (l) < (r) : (op) == 6 ? (l) >= (r) : (l) > (r))

void tw__check(int condition, const char *text, int length, int line) { verdict(condition, text, length, line, ""); }

void tw__check_int(int op, int is_unsigned, int64_t left, int64_t right, const char *text, int length, int line) {
    int holds = is_unsigned ? HOLDS(op, (uint64_t)left, (uint64_t)right) : HOLDS(op, left, right);
    verdict(holds, text, length, line, ": %lld and %lld", (long long)left, (long long)right);
}

void tw__check_float(int op, double left, double right, double tolerance, const char *text, int length, int line) {
    int holds = op == 5 ? left == right || fabs(left - right) <= tolerance : HOLDS(op, left, right);
    verdict(holds, text, length, line, ": %.17g and %.17g", left, right);
}

void tw__check_bytes(const void *left, int left_length, const void *right, int right_length, const char *text, int length, int line) {
    int holds = left_length == right_length && !memcmp(left, right, (size_t)left_length);
    verdict(holds, text, length, line, ": \"%.*s\" and \"%.*s\"", left_length, (const char *)left, right_length, (const char *)right);
}

static void show(const char *what, const char *name, int length) { printf("    %s %.*s =", what, length, name); }

#define SHOW(what)                                                                                            \
    void tw__##what##_int(const char *name, int length, int64_t value) {                                      \
        show(#what, name, length);                                                                            \
        printf(" %lld\n", (long long)value);                                                                  \
    }                                                                                                         \
    void tw__##what##_float(const char *name, int length, double value) {                                     \
        show(#what, name, length);                                                                            \
        printf(" %.17g\n", value);                                                                            \
    }                                                                                                         \
    void tw__##what##_ints(const char *name, int length, int kind, const void *values, int count) {           \
        show(#what, name, length);                                                                            \
        for (int i = 0; i < count; i++)                                                                       \
            printf(" %lld", kind == TW_U8    ? (long long)((const uint8_t *)values)[i]                        \
                            : kind == TW_I16 ? (long long)((const int16_t *)values)[i]                        \
                            : kind == TW_I64 ? (long long)((const int64_t *)values)[i]                        \
                                             : (long long)((const int32_t *)values)[i]);                      \
        printf("\n");                                                                                         \
    }                                                                                                         \
    void tw__##what##_floats(const char *name, int length, const double *values, int count) {                 \
        show(#what, name, length);                                                                            \
        for (int i = 0; i < count; i++) printf(" %.17g", values[i]);                                          \
        printf("\n");                                                                                         \
    }                                                                                                         \
    void tw__##what##_bytes(const char *name, int length, const void *bytes, int count) {                     \
        show(#what, name, length);                                                                            \
        printf(" \"%.*s\"\n", count, (const char *)bytes);                                                    \
    }
SHOW(given)
SHOW(output)

void tw__program_file(const char *path, int length, const void *data, int data_length) {
    char name[4096];
    snprintf(name, sizeof name, "%.*s", length, path);
    FILE *file = fopen(name, "wb");
    if (!file) fail("cannot write %s: %s", name, strerror(errno));
    fwrite(data, 1, (size_t)data_length, file);
    fclose(file);
}

static void slurp(int stream, FILE *file) {
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    free(program_streams[stream]);
    program_streams[stream] = malloc((size_t)size + 1);
    program_lengths[stream] = (int)fread(program_streams[stream], 1, (size_t)size, file);
    fclose(file);
}

int tw__program(const char *name, int length, const void *arguments, int count, const void *in, int in_length) {
    (void)name, (void)length;
    if (!program_path) fail("this case runs a whole program: name its native build as the third argument");
    printf("run %d: %s", ++run_count, program_path);
    const tw_arg *args = arguments;
    char **argv = calloc((size_t)count + 2, sizeof *argv);
    argv[0] = (char *)program_path;
    for (int i = 0; i < count; i++) {
        argv[i + 1] = calloc(1, (size_t)args[i].length + 1);
        memcpy(argv[i + 1], args[i].data, (size_t)args[i].length);
        printf(" '%s'", argv[i + 1]);
    }
    printf("\n");
    fflush(stdout);
    FILE *input_file = tmpfile(), *out = tmpfile(), *err = tmpfile();
    fwrite(in, 1, (size_t)in_length, input_file);
    rewind(input_file);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(input_file), 0);
        dup2(fileno(out), 1);
        dup2(fileno(err), 2);
        execv(program_path, argv);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    fclose(input_file);
    slurp(1, out);
    slurp(2, err);
    if (WIFSIGNALED(status)) {
        printf("crashed: signal %d\n%.*s\n", WTERMSIG(status), program_lengths[2], program_streams[2]);
        exit(128 + WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

int tw__program_output(int stream, int offset, void *out, int capacity) {
    int total = program_lengths[stream];
    int rest = offset < total ? total - offset : 0;
    memcpy(out, program_streams[stream] + (rest ? offset : 0), (size_t)(rest < capacity ? rest : capacity));
    return total;
}

int tw__program_written(const char *path, int length, void *out, int capacity) {
    char name[4096];
    snprintf(name, sizeof name, "%.*s", length, path);
    FILE *file = fopen(name, "rb");
    if (!file) return -1;
    fseek(file, 0, SEEK_END);
    int total = (int)ftell(file);
    rewind(file);
    if (fread(out, 1, (size_t)(total < capacity ? total : capacity), file) == 0 && total > 0 && capacity > 0) total = -1;
    fclose(file);
    return total;
}

int main(int argc, char **argv) {
    if (argc < 3) fail("usage: %s RELATION CASE_FILE [PROGRAM]", argv[0]);
    program_path = argc > 3 ? argv[3] : NULL;
    FILE *file = fopen(argv[2], "rb");
    if (!file) fail("cannot read %s: %s", argv[2], strerror(errno));
    size_t room = 0;
    char *line = NULL;
    while (line_count < MOST_INPUTS && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        lines[line_count++] = strdup(line);
    }
    free(line);
    fclose(file);
    for (int i = 0; i < relation_count; i++) {
        if (strcmp(relations[i].name, argv[1])) continue;
        printf("relation %s\n", argv[1]);
        relations[i].relation();
        printf("holds\n");
        return 0;
    }
    fail("there is no relation %s", argv[1]);
}
