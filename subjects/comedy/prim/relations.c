#include <twinrun.h>

#include "prim.h"

enum { VERTICES = 5, EDGES = 8, HEAVIEST = 20, NUMBERS = 2 + 3 * EDGES };

static Forest run(const int *numbers, int count) {
    GIVEN_I32S("numbers", numbers, count);
    Forest forest = RUN(spanning_forest(numbers, count));
    OUTPUT("status", forest.status);
    OUTPUT("weight", forest.weight);
    OUTPUT("trees", forest.trees);
    OUTPUT("heaviest", forest.heaviest);
    return forest;
}

/* vertices, edges, then v, w, weight for each edge. */
static int draw(int *numbers) {
    int v[EDGES], w[EDGES], weight[EDGES];
    numbers[0] = tw_len("vertices", 2, VERTICES);
    numbers[1] = tw_len("edges", 1, EDGES);
    tw_i32s("v", v, numbers[1], 0, numbers[0] - 1);
    tw_i32s("w", w, numbers[1], 0, numbers[0] - 1);
    tw_i32s("weight", weight, numbers[1], -HEAVIEST, HEAVIEST);
    for (int i = 0; i < numbers[1]; i++) {
        numbers[2 + 3 * i] = v[i];
        numbers[3 + 3 * i] = w[i];
        numbers[4 + 3 * i] = weight[i];
    }
    return 2 + 3 * numbers[1];
}

static void check_same(const Forest *a, const Forest *b) {
    CHECK_EQ(a->status, b->status);
    CHECK_EQ(a->trees, b->trees);
    CHECK_EQ(a->edges.count, b->edges.count);
    CHECK_EQ(a->weight, b->weight);
    CHECK_EQ(a->heaviest, b->heaviest);
}

/* The ends of every edge exchanged. */
RELATION(transpose) {
    int numbers[NUMBERS], transposed[NUMBERS];
    int count = draw(numbers);
    TW_COPY(transposed, numbers, count);
    for (int i = 2; i < count; i += 3) TW_SWAP(transposed, i, i + 1);
    Forest source = run(numbers, count);
    Forest follow_up = run(transposed, count);
    check_same(&source, &follow_up);
}

/* A constant added to every weight is added once for every edge of the forest. */
RELATION(add) {
    int numbers[NUMBERS];
    int count = draw(numbers);
    int constant = tw_i32("constant", -HEAVIEST, HEAVIEST);
    Forest source = run(numbers, count);
    for (int i = 4; i < count; i += 3) numbers[i] += constant;
    Forest follow_up = run(numbers, count);
    source.weight += constant * source.edges.count;
    if (source.edges.count > 0) source.heaviest += constant;
    check_same(&source, &follow_up);
}

/* With the vertices numbered on by a constant. */
RELATION(shift) {
    int numbers[NUMBERS];
    int count = draw(numbers), vertices = numbers[0];
    int by = tw_i32("by", 1, vertices - 1);
    Forest source = run(numbers, count);
    for (int i = 2; i < count; i += 3) {
        numbers[i] = (numbers[i] + by) % vertices;
        numbers[i + 1] = (numbers[i + 1] + by) % vertices;
    }
    Forest follow_up = run(numbers, count);
    check_same(&source, &follow_up);
}
