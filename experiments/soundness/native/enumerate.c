/* enumerate.c: runs every case of relations natively, for builds with sanitisers.
 *
 *     ./all RELATION …
 *
 * Each relation has a child process, which counts through all values of all draws. One line for each: its name, a tab, and `clean N V` after N cases of
 * which V fail, or what the sanitiser said and the case at which it did.
 */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "twinrun.h"

enum { MOST_RELATIONS = 1000, MOST_DIGITS = 256, MOST_TOLD = 512 };

void tw__register_reset(const char *name, void (*reset)(void));

static struct { const char *name; void (*relation)(void); } relations[MOST_RELATIONS];
static struct { const char *name; void (*reset)(void); } resets[MOST_RELATIONS];
static int relation_count, reset_count;
static struct { uint64_t value, size; } digits[MOST_DIGITS];
static int digit_count, next_digit;
/* What was drawn, where the parent can read it when the child is gone; names lie at the same place in both. */
struct part { const char *name; int length; long long value; };
static struct { int count; long cases, violated; struct part parts[MOST_TOLD]; } *told;
static jmp_buf after;

void tw__register(const char *name, void (*relation)(void)) {
    relations[relation_count].name = name;
    relations[relation_count++].relation = relation;
}

void tw__register_reset(const char *name, void (*reset)(void)) {
    resets[reset_count].name = name;
    resets[reset_count++].reset = reset;
}

static uint64_t digit(uint64_t size) {
    if (next_digit == MOST_DIGITS) abort();
    if (next_digit == digit_count) {
        digits[digit_count].value = 0;
        digits[digit_count++].size = size;
    }
    return digits[next_digit++].value;
}

static int advance(void) {
    digit_count = next_digit;
    while (digit_count > 0) {
        if (digits[digit_count - 1].value + 1 < digits[digit_count - 1].size) {
            digits[digit_count - 1].value++;
            return 1;
        }
        digit_count--;
    }
    return 0;
}

/* Words are made only when something is wrong: most cases are never shown. */
static void show_name(const char *name, int length) {
    if (told->count < MOST_TOLD) told->parts[told->count++] = (struct part){name, length, 0};
}
static void show_number(long long value) {
    if (told->count < MOST_TOLD) told->parts[told->count++] = (struct part){NULL, 0, value};
}

static int64_t number(int64_t lo, int64_t hi) {
    int64_t value = (int64_t)((uint64_t)lo + digit((uint64_t)hi - (uint64_t)lo + 1));
    show_number(value);
    return value;
}

static int64_t order(double value) {
    int64_t bits;
    memcpy(&bits, &value, 8);
    return bits < 0 ? INT64_MIN - bits - 1 : bits;
}

static double of_number(double lo, double hi) {
    int64_t bits = number(order(lo == 0 ? -0.0 : lo), order(hi == 0 ? 0.0 : hi));
    if (bits < 0) bits = INT64_MIN - bits - 1;
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

int64_t tw__int(const char *name, int length, int kind, int64_t lo, int64_t hi) {
    (void)kind;
    show_name(name, length);
    return number(lo, hi);
}

double tw__float(const char *name, int length, double lo, double hi) {
    show_name(name, length);
    return of_number(lo, hi);
}

void tw__ints(const char *name, int length, int kind, void *out, int rows, int columns, int64_t lo, int64_t hi) {
    show_name(name, length);
    int count = rows < 0 ? columns : rows * columns;
    for (int i = 0; i < count; i++) {
        int64_t value = number(lo, hi);
        switch (kind) {
        case TW_U8: ((uint8_t *)out)[i] = (uint8_t)value; break;
        case TW_I16: ((int16_t *)out)[i] = (int16_t)value; break;
        case TW_I64: ((int64_t *)out)[i] = value; break;
        default: ((int32_t *)out)[i] = (int32_t)value;
        }
    }
}

void tw__floats(const char *name, int length, double *out, int rows, int columns, double lo, double hi) {
    show_name(name, length);
    int count = rows < 0 ? columns : rows * columns;
    for (int i = 0; i < count; i++) out[i] = of_number(lo, hi);
}

int tw__text(const char *name, int length, void *out, int min, int max, const char *alphabet, int letters) {
    show_name(name, length);
    int count = (int)number(min, max);
    for (int i = 0; i < count; i++) {
        uint64_t letter = digit(letters ? (uint64_t)letters : 256);
        ((uint8_t *)out)[i] = letters ? (uint8_t)alphabet[letter] : (uint8_t)letter;
        show_number(((uint8_t *)out)[i]);
    }
    return count;
}

void tw__permutation(const char *name, int length, int32_t *out, int n) {
    show_name(name, length);
    int32_t left[64];
    for (int i = 0; i < n; i++) left[i] = i;
    for (int i = 0; i < n; i++) {
        int k = (int)digit((uint64_t)(n - i));
        out[i] = left[k];
        show_number(out[i]);
        memmove(left + k, left + k + 1, (size_t)(n - i - k - 1) * sizeof *left);
    }
}

/* `push 0..9; pop; move 0..3 0..3` */
int tw__ops(const char *name, int length, void *out, int max, const char *spec, int spec_length) {
    show_name(name, length);
    struct { int count; int lo[3], hi[3]; } kinds[16];
    int kind_count = 0;
    char text[512];
    snprintf(text, sizeof text, "%.*s", spec_length, spec);
    char *rest = text, *part;
    while ((part = strsep(&rest, ";")) && kind_count < 16) {
        int count = 0;
        char *words = part, *word;
        while ((word = strsep(&words, " ")))
            if (sscanf(word, "%d..%d", &kinds[kind_count].lo[count], &kinds[kind_count].hi[count]) == 2) count++;
        kinds[kind_count++].count = count;
    }
    int count = (int)number(0, max);
    for (int i = 0; i < count; i++) {
        int32_t *op = (int32_t *)out + 4 * i;
        op[0] = (int32_t)number(0, kind_count - 1);
        for (int k = 0; k < 3; k++)
            op[k + 1] = k < kinds[op[0]].count ? (int32_t)number(kinds[op[0]].lo[k], kinds[op[0]].hi[k]) : 0;
    }
    return count;
}

void tw__run_begin(void) {}
void tw__run_end(void) {}
void tw__assume(int condition) {
    if (!condition) longjmp(after, 1);
}
void tw__check(int condition, const char *text, int length, int line) {
    (void)text, (void)length, (void)line;
    if (!condition) longjmp(after, 2);
}
#define HOLDS(op, l, r) \
    ((op) == 1 ? (l) == (r) : (op) == 2 ? (l) != (r) : (op) == 3 ? (l) <= (r) : (op) == 4 ? (l) < (r) : (op) == 6 ? (l) >= (r) : (l) > (r))
void tw__check_int(int op, int is_unsigned, int64_t left, int64_t right, const char *text, int length, int line) {
    tw__check(is_unsigned ? HOLDS(op, (uint64_t)left, (uint64_t)right) : HOLDS(op, left, right), text, length, line);
}
void tw__check_float(int op, double left, double right, double tolerance, const char *text, int length, int line) {
    tw__check(op == 5 ? left == right || fabs(left - right) <= tolerance : HOLDS(op, left, right), text, length, line);
}
void tw__check_bytes(const void *left, int left_length, const void *right, int right_length, const char *text, int length, int line) {
    tw__check(left_length == right_length && !memcmp(left, right, (size_t)left_length), text, length, line);
}

/* The first line of the child's messages that says what is wrong. */
static void first_complaint(int from, char *out, size_t room) {
    FILE *file = fdopen(from, "r");
    char line[1024];
    *out = 0;
    while (file && fgets(line, sizeof line, file)) {
        char *at = strstr(line, "runtime error: ");
        if (!at) at = strstr(line, "AddressSanitizer: ");
        if (!at) at = strstr(line, "MemorySanitizer: ");
        if (!at) continue;
        at[strcspn(at, "\n")] = 0;
        if (!*out) snprintf(out, room, "%s", at);
    }
    if (file) fclose(file);
}

static void all_cases(int index) {
    volatile long cases = 0, violated = 0;
    void (*reset)(void) = NULL;
    for (int i = 0; i < reset_count; i++)
        if (!strcmp(resets[i].name, relations[index].name)) reset = resets[i].reset;
    do {
        next_digit = 0;
        told->count = 0;
        if (reset) reset();
        switch (setjmp(after)) {
        case 0: relations[index].relation(); break;
        case 2: violated = violated + 1; break;
        }
        cases = cases + 1;
    } while (advance());
    told->cases = cases;
    told->violated = violated;
    _exit(0);
}

int main(int argc, char **argv) {
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) return 3;
    for (int argument = 1; argument < argc; argument++)
        for (int index = 0; index < relation_count; index++) {
            if (strcmp(relations[index].name, argv[argument])) continue;
            int messages[2];
            if (pipe(messages)) return 3;
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {
                dup2(messages[1], 2);
                close(messages[0]);
                /* Of the processor's time: a busy machine ends nothing. */
                setrlimit(RLIMIT_CPU, &(struct rlimit){20, 20});
                all_cases(index);
            }
            close(messages[1]);
            char complaint[512];
            first_complaint(messages[0], complaint, sizeof complaint);
            int status;
            waitpid(child, &status, 0);
            printf("%s\t", argv[argument]);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) printf("clean %ld %ld\n", told->cases, told->violated);
            else {
                if (*complaint) printf("%s at", complaint);
                else if (WIFSIGNALED(status)) printf("signal %d at", WTERMSIG(status));
                else printf("stopped with %d at", WEXITSTATUS(status));
                for (int i = 0; i < told->count; i++) {
                    struct part *part = &told->parts[i];
                    if (part->name) printf(" %.*s =", part->length, part->name);
                    else printf(" %lld", part->value);
                }
                printf("\n");
            }
        }
    return 0;
}
