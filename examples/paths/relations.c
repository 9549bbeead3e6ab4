#include <twinrun.h>

#include "paths.h"

typedef int Map[MOST_PLACES][MOST_PLACES];

enum { MOST = 6, LONGEST = 9 };

/* Some roads are missing: a third of the values stands for none. */
static int draw(Map weight, int *from, int *to) {
    int n = tw_len("n", 2, MOST);
    tw_i32_matrix("weight", &weight[0][0], MOST_PLACES, n, n, -4, LONGEST);
    for (int u = 0; u < n; u++)
        for (int v = 0; v < n; v++)
            if (weight[u][v] < 0) weight[u][v] = 0;
    *from = tw_i32("from", 0, n - 1);
    *to = tw_i32("to", 0, n - 1);
    return n;
}

static int run(int n, const Map weight, int from, int to) {
    GIVEN("from", from);
    GIVEN("to", to);
    for (int u = 0; u < n; u++) GIVEN_I32S("weight", weight[u], n);
    int length = RUN(shortest_path(n, weight, from, to));
    OUTPUT("length", length);
    return length;
}

/* With every road turned round, the way back is as long as the way was. */
RELATION(turn_roads) {
    Map weight, turned;
    int from, to, n = draw(weight, &from, &to);
    TW_TRANSPOSE(turned, weight, n, n);
    int source = run(n, weight, from, to);
    int follow_up = run(n, turned, to, from);
    CHECK_EQ(source, follow_up);
}

/* Numbering the places otherwise changes nothing. */
RELATION(renumber) {
    Map weight, renumbered;
    int from, to, n = draw(weight, &from, &to), number[MOST];
    tw_permutation("number", number, n);
    for (int u = 0; u < n; u++)
        for (int v = 0; v < n; v++) renumbered[number[u]][number[v]] = weight[u][v];
    int source = run(n, weight, from, to);
    int follow_up = run(n, renumbered, number[from], number[to]);
    CHECK_EQ(source, follow_up);
}

/* A way over a third place is never shorter. */
RELATION(detour) {
    Map weight;
    int from, to, n = draw(weight, &from, &to);
    int over = tw_i32("over", 0, n - 1);
    int direct = run(n, weight, from, to);
    int first = run(n, weight, from, over);
    int second = run(n, weight, over, to);
    CHECK_LE(direct, first + second);
}

/* Roads twice as long make the way twice as long. */
RELATION(multiply) {
    Map weight;
    int from, to, n = draw(weight, &from, &to);
    int source = run(n, weight, from, to);
    for (int u = 0; u < n; u++) TW_MULTIPLY(weight[u], n, 2);
    int follow_up = run(n, weight, from, to);
    if (source == UNREACHABLE) CHECK_EQ(follow_up, UNREACHABLE);
    else CHECK_EQ(2 * source, follow_up);
}
