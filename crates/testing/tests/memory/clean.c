#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <twinrun.h>

struct fields { unsigned a : 3; unsigned b : 7; signed c : 5; unsigned d : 17; };
static int bit_fields(int n) {
    struct fields f;
    f.a = n & 7;
    f.c = -(n & 7);
    int total = f.a + f.c;
    f.b = n;
    return total * 100 + f.b + (f.a > 3);
}
RELATION(bits) { int n = tw_i32("n", 0, 100); CHECK_EQ(RUN(bit_fields(n)), RUN(bit_fields(n + 128)) ); }

struct padded { char tag; long long wide; char end; double real; };
static struct padded make(int n) { struct padded p; p.tag = 1; p.wide = n; p.end = 2; p.real = n; return p; }
static int copies(int n) {
    struct padded p = make(n), q, r[3];
    q = p;
    memcpy(&r[1], &q, sizeof q);
    struct padded *h = malloc(sizeof *h);
    *h = r[1];
    struct padded s = *h;
    free(h);
    return s.tag + (int)s.wide + s.end + (s.real > 3 ? 1 : 0);
}
RELATION(padding) { int n = tw_i32("n", 0, 100); CHECK_EQ(RUN(copies(n)), RUN(copies(n))); }

union word { int whole; char parts[4]; float real; };
static int unions(int n) {
    union word w;
    w.parts[0] = n;
    union word v = w;
    if (v.parts[0] > 50) return 1;
    w.real = n;
    return w.whole != 0;
}
RELATION(unions) { int n = tw_i32("n", 0, 100); CHECK_EQ(RUN(unions(n)), RUN(unions(n))); }

static int partial(int n) {
    int a[32];
    char text[64];
    for (int i = 0; i < n; i++) a[i] = i * i;
    int total = 0;
    for (int i = 0; i < n; i++) if (a[i] % 3) total += a[i];
    snprintf(text, sizeof text, "%d-%s-%5.2f", total, "x", total / 2.0);
    return (int)strlen(text) + atoi(text);
}
RELATION(partial) { int n = tw_i32("n", 0, 32); CHECK_EQ(RUN(partial(n)), RUN(partial(n))); }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int sorted(int *a, int n) {
    int copy[16];
    memcpy(copy, a, n * sizeof *a);
    qsort(copy, n, sizeof *copy, compare);
    return copy[n / 2];
}
RELATION(sorts) {
    int a[8], b[8];
    tw_i32s("a", a, 8, -9, 9);
    for (int i = 0; i < 8; i++) b[i] = a[7 - i];
    CHECK_EQ(RUN(sorted(a, 8)), RUN(sorted(b, 8)));
}

static long long total(int n, ...) {
    va_list list;
    va_start(list, n);
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += i & 1 ? va_arg(list, long long) : va_arg(list, int);
    va_end(list);
    return sum;
}
RELATION(varargs) { int n = tw_i32("n", 0, 100); CHECK_EQ(RUN(total(4, n, 5LL, 3, 1LL << 40)), RUN(total(4, n, 5LL, 3, 1LL << 40))); }

static int grown(int n) {
    int *cells = NULL, size = 0, capacity = 0;
    for (int i = 0; i < n; i++) {
        if (size == capacity) cells = realloc(cells, (capacity = capacity * 2 + 1) * sizeof *cells);
        cells[size++] = i;
    }
    int *zero = calloc(3, sizeof *zero), sum = zero[2];
    for (int i = 0; i < size; i++) sum += cells[i];
    free(cells);
    free(zero);
    return sum;
}
RELATION(grows) { int n = tw_i32("n", 0, 20); CHECK_EQ(RUN(grown(n)), RUN(grown(n))); }

static int set_when(int n) {
    int value, known = 0;
    if (n > 5) { value = n; known = 1; }
    if (known) return value;
    return -1;
}
RELATION(conditional) { int n = tw_i32("n", 0, 20); CHECK_LE(RUN(set_when(n)), RUN(set_when(n + 1))); }

static void fill(int *out, int n) { *out = n; }
static int filled(int n) { int x; fill(&x, n); return x > 3; }
RELATION(out_parameter) { int n = tw_i32("n", 0, 20); CHECK_LE(RUN(filled(n)), RUN(filled(n + 1))); }

static int scanned(int n) {
    char text[32];
    int a, b;
    sprintf(text, "%d %d", n, n + 1);
    if (sscanf(text, "%d %d", &a, &b) != 2) return -1;
    return b - a;
}
RELATION(scans) { int n = tw_i32("n", 0, 20); CHECK_EQ(RUN(scanned(n)), RUN(scanned(n + 3))); }

static int says(int n) {
    char line[100];
    printf("n is %d\n", n);
    fprintf(stderr, "%s %c %g\n", "text", 'c', n / 3.0);
    strcpy(line, "abc");
    strcat(line, "def");
    puts(line);
    return (int)strlen(line);
}
RELATION(output) { int n = tw_i32("n", 0, 20); CHECK_EQ(RUN(says(n)), RUN(says(n))); }
