#include <twinrun.h>

#include "min_in_rot.h"

enum { MOST = 7 };

static int run(const int *a, int n) {
    GIVEN_I32S("a", a, n);
    int least = RUN(min_in_rot(a, n));
    OUTPUT("least", least);
    return least;
}

/* An ascending array: a first element and steps upwards. */
static int draw(int *a) {
    int n = tw_len("n", 1, MOST);
    tw_i32s("steps", a, n, 0, 5);
    a[0] += tw_i32("first", -50, 50);
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
    return n;
}

static void rotate(int *to, const int *from, int n, int by) {
    for (int i = 0; i < n; i++) to[i] = from[(i + by) % n];
}

/* Any two rotations, the permutations that keep the input legal, have the same least element. */
RELATION(permute) {
    int a[MOST], b[MOST], c[MOST];
    int n = draw(a);
    rotate(b, a, n, tw_i32("first_rotation", 0, n - 1));
    rotate(c, a, n, tw_i32("second_rotation", 0, n - 1));
    int source = run(b, n);
    int follow_up = run(c, n);
    CHECK_EQ(source, follow_up);
}

/* A constant added to all elements is added to the least one. */
RELATION(shift) {
    int a[MOST], b[MOST];
    int n = draw(a);
    rotate(b, a, n, tw_i32("rotation", 0, n - 1));
    int constant = tw_i32("constant", -50, 50);
    int source = run(b, n);
    TW_ADD(b, n, constant);
    int follow_up = run(b, n);
    CHECK_EQ(source + constant, follow_up);
}
