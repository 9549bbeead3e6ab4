#include "abi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int counter;
static int table[64];

int next_number(void) { return ++counter; }

/* Runs that depend on each other through static data. */
RELATION(dependent) {
    int source = RUN(next_number());
    int follow_up = RUN(next_number());
    tw_check_int(2, 0, source, follow_up, N("source != follow_up"), __LINE__);
}

/* Results in static data survive until the relation reads them. */
int *square(int x) {
    static int results[4];
    results[x & 3] = x * x;
    return &results[x & 3];
}
RELATION(static_results) {
    int *one = RUN(square(1));
    int *two = RUN(square(2));
    CHECK_EQ(*one + *two, 5);
}

/* What a run allocated stays allocated for the next one. */
char *copy(const char *text) { return strcpy(malloc(strlen(text) + 1), text); }
RELATION(allocated_results) {
    char *one = RUN(copy("one"));
    char *two = RUN(copy("two"));
    tw_check_int(2, 0, strcmp(one, two), 0, N("one != two"), __LINE__);
}

RELATION(trap) {
    int n = (int)tw_int(N("n"), 0, 0, 0);
    RUN(100 / n);
}
RELATION(abort) { RUN_VOID(abort()); }
RELATION(null_call) {
    int (*f)(void) = (int (*)(void))(intptr_t)tw_int(N("f"), 0, 0, 0);
    RUN(f());
}
RELATION(wild) {
    int *p = (int *)(intptr_t)tw_int(N("p"), 2, 0x7f000000, 0x7f000000);
    RUN(*p = 1);
}
RELATION(endless) {
    volatile int i = 0;
    RUN_VOID(while (i != -1) i++);
}
RELATION(memory_bomb) {
    tw_run_begin();
    while (1) {
        char *block = malloc(1 << 20);
        if (block)
            memset(block, 1, 1 << 20);
    }
}
RELATION(output_flood) {
    tw_run_begin();
    while (1)
        printf("all work and no play\n");
}
int recurse(int n) { return n == 0 ? 0 : 1 + recurse(n - 1); }
RELATION(deep) { RUN(recurse((int)tw_int(N("n"), 0, 1000000, 1000000))); }
int wide(int n) {
    volatile char frame[4096];
    frame[n & 4095] = 1;
    return n == 0 ? frame[0] : wide(n - 1) + frame[1];
}
RELATION(wide_frames) { RUN(wide((int)tw_int(N("n"), 0, 1000, 1000))); }
RELATION(exits) { RUN_VOID(exit(3)); }
RELATION(assumes) { tw_assume((int)tw_int(N("n"), 0, 0, 1)); }

/* Leaves traces in static data, the heap, the stack and the C library; holds only from a clean start. */
RELATION(messy) {
    int n = (int)tw_int(N("n"), 0, 0, 63);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(table[i], 0);
    CHECK_EQ(counter, 0);
    table[n] = 1;
    counter = n + 1;
    char *text = malloc((size_t)n + 16);
    int written = snprintf(text, 16, "%d", n);
    CHECK_EQ(atoi(text), n);
    CHECK_EQ(written, n < 10 ? 1 : 2);
    if (n % 3 == 0)
        free(text);
    rand();
    if (n % 7 == 0)
        tw_assume(0);
    if (n % 5 == 0)
        abort();
    memmove(table + 1, table, sizeof table - sizeof *table);
    tw_output_int(N("text"), (int64_t)(intptr_t)text);
    tw_check_int(1, 0, n % 11, n % 13, N("n % 11 == n % 13"), __LINE__);
}

/* Blocks with notices, as our own allocator sends them. */
static char arena[256];
RELATION(heap_overrun) {
    tw_heap_alloc(arena + 64, 10);
    int n = (int)tw_int(N("n"), 0, 0, 20);
    RUN(arena[64 + n] = 1);
}
RELATION(use_after_free) {
    tw_heap_alloc(arena + 64, 10);
    tw_heap_free(arena + 64, 10);
    RUN(arena[64]);
}
RELATION(double_free) {
    tw_heap_error(2, arena, 10);
}
