#include <twinrun.h>

#include "edmonds_karp.h"

enum { VERTICES = 5, PIPES = 8, WIDEST = 20 };

static Answer run(int vertices, const Pipe *pipes, int count, int source, int sink) {
    GIVEN("source", source);
    GIVEN("sink", sink);
    GIVEN_I32S("pipes", &pipes[0].from, 3 * count);
    Answer answer = RUN(maximum_flow(vertices, pipes, count, source, sink));
    OUTPUT("status", answer.status);
    OUTPUT("flow", answer.flow);
    OUTPUT("cut", answer.cut);
    return answer;
}

static int draw(Pipe *pipes, int *count, int *source, int *sink) {
    int from[PIPES], to[PIPES], capacity[PIPES];
    int vertices = tw_len("vertices", 2, VERTICES);
    *count = tw_len("pipes", 1, PIPES);
    tw_i32s("from", from, *count, 0, vertices - 1);
    tw_i32s("to", to, *count, 0, vertices - 1);
    tw_i32s("capacity", capacity, *count, 0, WIDEST);
    for (int i = 0; i < *count; i++) pipes[i] = (Pipe){from[i], to[i], capacity[i]};
    *source = tw_i32("source", 0, vertices - 1);
    *sink = tw_i32("sink", 0, vertices - 1);
    return vertices;
}

/* With every pipe turned round, as much flows back from the sink to the source. */
RELATION(transpose) {
    Pipe pipes[PIPES], turned[PIPES];
    int count, source, sink;
    int vertices = draw(pipes, &count, &source, &sink);
    for (int i = 0; i < count; i++) turned[i] = (Pipe){pipes[i].to, pipes[i].from, pipes[i].capacity};
    Answer there = run(vertices, pipes, count, source, sink);
    Answer back = run(vertices, turned, count, sink, source);
    CHECK_EQ(there.status, back.status);
    CHECK_EQ(there.flow, back.flow);
    CHECK_EQ(there.cut, back.cut);
}

/* With the vertices numbered on by a constant, the flow stays. */
RELATION(shift) {
    Pipe pipes[PIPES], shifted[PIPES];
    int count, source, sink;
    int vertices = draw(pipes, &count, &source, &sink);
    int by = tw_i32("by", 1, vertices - 1);
    for (int i = 0; i < count; i++)
        shifted[i] = (Pipe){(pipes[i].from + by) % vertices, (pipes[i].to + by) % vertices, pipes[i].capacity};
    Answer before = run(vertices, pipes, count, source, sink);
    Answer after = run(vertices, shifted, count, (source + by) % vertices, (sink + by) % vertices);
    CHECK_EQ(before.status, after.status);
    CHECK_EQ(before.flow, after.flow);
    CHECK_EQ(before.cut, after.cut);
}
