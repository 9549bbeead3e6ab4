#include <twinrun.h>

int Med(int u, int v, int w);

/* TAU 1: (a, b, c) → (a, c, b). */
RELATION(swap_last_two) {
    int a = tw_i32("a", INT32_MIN, INT32_MAX), b = tw_i32("b", INT32_MIN, INT32_MAX), c = tw_i32("c", INT32_MIN, INT32_MAX);
    int source = RUN(Med(a, b, c));
    OUTPUT("median", source);
    int follow_up = RUN(Med(a, c, b));
    OUTPUT("median", follow_up);
    CHECK_EQ(source, follow_up);
}

/* TAU 2: (a, b, c) → (b, a, c). */
RELATION(swap_first_two) {
    int a = tw_i32("a", INT32_MIN, INT32_MAX), b = tw_i32("b", INT32_MIN, INT32_MAX), c = tw_i32("c", INT32_MIN, INT32_MAX);
    int source = RUN(Med(a, b, c));
    OUTPUT("median", source);
    int follow_up = RUN(Med(b, a, c));
    OUTPUT("median", follow_up);
    CHECK_EQ(source, follow_up);
}

/* All permutations at once. */
RELATION(permute) {
    int x[3], p[3];
    tw_i32s("x", x, 3, INT32_MIN, INT32_MAX);
    tw_permutation("p", p, 3);
    int source = RUN(Med(x[0], x[1], x[2]));
    OUTPUT("median", source);
    int follow_up = RUN(Med(x[p[0]], x[p[1]], x[p[2]]));
    OUTPUT("median", follow_up);
    CHECK_EQ(source, follow_up);
}
