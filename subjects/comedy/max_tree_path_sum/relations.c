#include <twinrun.h>

#include "max_tree_path_sum.h"

static int run(const int *values, int n) {
    GIVEN_I32S("values", values, n);
    int best = RUN(max_tree_path_sum(values, n));
    OUTPUT("best", best);
    return best;
}

/* Some nodes are absent. */
static int draw(int *values) {
    int levels = tw_len("levels", 1, 4);
    int n = (1 << levels) - 1;
    int present[MOST_NODES];
    tw_i32s("values", values, n, -50, 50);
    tw_i32s("present", present, n, 0, 3);
    for (int i = 0; i < n; i++)
        if (present[i] == 0) values[i] = ABSENT;
    return n;
}

/* The left and the right subtree of every node are exchanged: each level is read backwards. */
RELATION(swap) {
    int values[MOST_NODES], swapped[MOST_NODES];
    int n = draw(values);
    for (int first = 0; first < n; first = 2 * first + 1)
        for (int i = first; i <= 2 * first; i++) swapped[3 * first - i] = values[i];
    int source = run(values, n);
    int follow_up = run(swapped, n);
    CHECK_EQ(source, follow_up);
}
