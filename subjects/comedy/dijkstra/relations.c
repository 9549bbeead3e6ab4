#include <twinrun.h>

#include "dijkstra.h"

enum { VERTICES = 5, EDGES = 8, HEAVIEST = 20 };

static Answer run(int vertices, const Edge *edges, int count, int source, int target) {
    GIVEN("source", source);
    GIVEN("target", target);
    GIVEN_I32S("edges", &edges[0].from, 3 * count);
    Answer answer = RUN(find_route(vertices, edges, count, source, target));
    OUTPUT("status", answer.status);
    OUTPUT_I32S("distance", answer.paths.distance, vertices);
    OUTPUT("length", answer.length);
    return answer;
}

static int draw(Edge *edges, int *count, int *source, int *target) {
    int from[EDGES], to[EDGES], weight[EDGES];
    int vertices = tw_len("vertices", 2, VERTICES);
    *count = tw_len("edges", 1, EDGES);
    tw_i32s("from", from, *count, 0, vertices - 1);
    tw_i32s("to", to, *count, 0, vertices - 1);
    tw_i32s("weight", weight, *count, 0, HEAVIEST);
    for (int i = 0; i < *count; i++) edges[i] = (Edge){from[i], to[i], weight[i]};
    *source = tw_i32("source", 0, vertices - 1);
    *target = tw_i32("target", 0, vertices - 1);
    return vertices;
}

/* With every edge turned round, the way back is as long. */
RELATION(transpose) {
    Edge edges[EDGES], turned[EDGES];
    int count, source, target;
    int vertices = draw(edges, &count, &source, &target);
    for (int i = 0; i < count; i++) turned[i] = (Edge){edges[i].to, edges[i].from, edges[i].weight};
    Answer there = run(vertices, edges, count, source, target);
    Answer back = run(vertices, turned, count, target, source);
    CHECK_EQ(there.status, back.status);
    CHECK_EQ(there.paths.distance[target], back.paths.distance[source]);
    CHECK_EQ(there.length, back.length);
}

/* With the vertices numbered on by a constant, each has the same distance. */
RELATION(shift) {
    Edge edges[EDGES], shifted[EDGES];
    int count, source, target;
    int vertices = draw(edges, &count, &source, &target);
    int by = tw_i32("by", 1, vertices - 1);
    for (int i = 0; i < count; i++)
        shifted[i] = (Edge){(edges[i].from + by) % vertices, (edges[i].to + by) % vertices, edges[i].weight};
    Answer before = run(vertices, edges, count, source, target);
    Answer after = run(vertices, shifted, count, (source + by) % vertices, (target + by) % vertices);
    CHECK_EQ(before.status, after.status);
    for (int v = 0; v < vertices; v++) CHECK_EQ(before.paths.distance[v], after.paths.distance[(v + by) % vertices]);
    CHECK_EQ(before.length, after.length);
}
