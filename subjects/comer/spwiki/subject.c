#include <string.h>

#include "../common/comer.h"

enum { NODES = 32 };
int shortest_path(int weight[NODES][NODES], int n, int from, int to);

enum { POINTS, EDGES, START, END, FACTOR, DATA };

void run(const double *test, Output *output) {
    static int weight[NODES][NODES];
    memset(weight, 0, sizeof weight);
    int n = (int)test[POINTS], edges = (int)test[EDGES];
    /* First a random tree, then any edges; what is there already is skipped. */
    for (int e = 0, tries = 0; e < edges && tries < 2000; tries++) {
        int a = e + 1 < n ? e + 1 : element(test[DATA], 1, tries, n);
        int b = e + 1 < n ? element(test[DATA], 2, e, e + 1) : element(test[DATA], 2, tries, n);
        if (a == b || weight[a][b])
            continue;
        weight[a][b] = weight[b][a] = (1 + element(test[DATA], 3, e, 20)) * (int)test[FACTOR];
        e++;
    }
    int places[] = {0, n / 2, n - 1};
    put(output, shortest_path(weight, n, places[(int)test[START]], places[(int)test[END]]));
}

RULE(same_length) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULE(twice) {
    UNUSED_TESTS;
    return second->value[0] == (first->value[0] < 0 ? -1 : 2 * first->value[0]);
}

RULES({"swap", same_length}, {"double", twice})
