#include <stdio.h>

#include <twinrun.h>

static void run(int a, int b, int c, char *out) {
    char in[64];
    int length = snprintf(in, sizeof in, "%d %d %d\n", a, b, c);
    int exit_code = tw_run_program(0, 0, in, length, out, 32);
    CHECK_EQ(exit_code, 0);
}

/* True: the median of three numbers on standard input. */
RELATION(true_median) {
    int a = tw_i32("a", 0, 99), b = tw_i32("b", 0, 99), c = tw_i32("c", 0, 99);
    char x[32], y[32];
    run(a, b, c, x);
    run(a, c, b, y);
    CHECK_TEXT(x, y);
}
