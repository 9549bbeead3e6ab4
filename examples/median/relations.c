#include <twinrun.h>

#include "median.h"

static int run(int a, int b, int c) {
    GIVEN("a", a);
    GIVEN("b", b);
    GIVEN("c", c);
    int med = RUN(median(a, b, c));
    OUTPUT("median", med);
    return med;
}

RELATION(swap_last_two) {
    int a = tw_i32("a", INT32_MIN, INT32_MAX), b = tw_i32("b", INT32_MIN, INT32_MAX), c = tw_i32("c", INT32_MIN, INT32_MAX);
    int source = run(a, b, c);
    int follow_up = run(a, c, b);
    CHECK_EQ(source, follow_up);
}

RELATION(swap_first_two) {
    int a = tw_i32("a", INT32_MIN, INT32_MAX), b = tw_i32("b", INT32_MIN, INT32_MAX), c = tw_i32("c", INT32_MIN, INT32_MAX);
    int source = run(a, b, c);
    int follow_up = run(b, a, c);
    CHECK_EQ(source, follow_up);
}

/* All permutations at once. */
RELATION(permute) {
    int x[3], p[3];
    tw_i32s("x", x, 3, INT32_MIN, INT32_MAX);
    tw_permutation("p", p, 3);
    int source = run(x[0], x[1], x[2]);
    int follow_up = run(x[p[0]], x[p[1]], x[p[2]]);
    CHECK_EQ(source, follow_up);
}

/* Mirrored at zero, the middle one stays the middle one. */
RELATION(negate) {
    int a = tw_i32("a", -INT32_MAX, INT32_MAX), b = tw_i32("b", -INT32_MAX, INT32_MAX), c = tw_i32("c", -INT32_MAX, INT32_MAX);
    int source = run(a, b, c);
    int follow_up = run(-a, -b, -c);
    CHECK_EQ(source, -follow_up);
}
