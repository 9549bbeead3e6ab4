/* Edmonds and Karp: augment along a shortest path until there is none. */
#include "edmonds_karp.h"

/* ---- The network ---- */

static bool is_vertex(const Network *network, int vertex) {
    return vertex >= 0 && vertex < network->vertices;
}

static void add_arc(Network *network, int from, int to, int capacity) {
    int number = network->arc_count;
    Arc *arc = &network->arcs[number];
    arc->to = to;
    arc->capacity = capacity;
    arc->flow = 0;
    arc->next = network->first_arc[from];
    network->first_arc[from] = number;
    network->arc_count++;
}

Status network_build(Network *network, int vertices, const Pipe *pipes, int count) {
    if (vertices < 2 || vertices > MOST_VERTICES)
        return BAD_SIZE;
    if (count < 0 || count > MOST_PIPES)
        return BAD_SIZE;
    network->vertices = vertices;
    network->arc_count = 0;
    for (int vertex = 0; vertex < vertices; vertex++)
        network->first_arc[vertex] = NO_ARC;
    for (int i = 0; i < count; i++) {
        const Pipe *pipe = &pipes[i];
        if (!is_vertex(network, pipe->from))
            return BAD_VERTEX;
        if (!is_vertex(network, pipe->to))
            return BAD_VERTEX;
        if (pipe->capacity < 0)
            return BAD_CAPACITY;
        add_arc(network, pipe->from, pipe->to, pipe->capacity);
        add_arc(network, pipe->to, pipe->from, 0);
    }
    return OK;
}

static int partner(int arc) {
    return arc ^ 1;
}

static int residual(const Network *network, int arc) {
    return network->arcs[arc].capacity - network->arcs[arc].flow;
}

/* ---- Breadth-first search ---- */

typedef struct {
    int vertices[MOST_VERTICES];
    int first;
    int end;
} Queue;

static void enqueue(Queue *queue, int vertex) {
    queue->vertices[queue->end] = vertex;
    queue->end++;
}

static int dequeue(Queue *queue) {
    int vertex = queue->vertices[queue->first];
    queue->first++;
    return vertex;
}

/* Marks what the source reaches through arcs with room; `arrived` is the last arc of a shortest way to each vertex. */
static bool find_path(const Network *network, int source, int sink, bool *marked, int *arrived) {
    Queue queue;
    queue.first = 0;
    queue.end = 0;
    for (int vertex = 0; vertex < network->vertices; vertex++) {
        marked[vertex] = false;
        arrived[vertex] = NO_ARC;
    }
    marked[source] = true;
    enqueue(&queue, source);
    while (queue.first < queue.end && !marked[sink]) {
        int vertex = dequeue(&queue);
        int arc = network->first_arc[vertex];
        while (arc != NO_ARC) {
            int to = network->arcs[arc].to;
            if (residual(network, arc) > 0 && !marked[to]) {
                marked[to] = true;
                arrived[to] = arc;
                enqueue(&queue, to);
            }
            arc = network->arcs[arc].next;
        }
    }
    return marked[sink];
}

/* ---- Augmenting ---- */

static int narrowest(const Network *network, int source, int sink, const int *arrived) {
    int least = -1;
    int vertex = sink;
    while (vertex != source) {
        int arc = arrived[vertex];
        int room = residual(network, arc);
        if (least < 0 || room < least)
            least = room;
        vertex = network->arcs[partner(arc)].to;
    }
    return least;
}

static void augment(Network *network, int source, int sink, const int *arrived, int amount) {
    int vertex = sink;
    while (vertex != source) {
        int arc = arrived[vertex];
        network->arcs[arc].flow += amount;
        network->arcs[partner(arc)].flow -= amount;
        vertex = network->arcs[partner(arc)].to;
    }
}

/* ---- Checking ---- */

/* What flows out of a vertex, less what flows in. */
static int excess(const Network *network, int vertex) {
    int sum = 0;
    int arc = network->first_arc[vertex];
    while (arc != NO_ARC) {
        sum += network->arcs[arc].flow;
        arc = network->arcs[arc].next;
    }
    return sum;
}

static bool is_feasible(const Network *network, int source, int sink, int flow) {
    for (int arc = 0; arc < network->arc_count; arc++) {
        if (network->arcs[arc].flow > network->arcs[arc].capacity)
            return false;
    }
    for (int vertex = 0; vertex < network->vertices; vertex++) {
        int expected = 0;
        if (vertex == source)
            expected = flow;
        if (vertex == sink)
            expected = -flow;
        if (excess(network, vertex) != expected)
            return false;
    }
    return true;
}

static int cut_capacity(const Network *network, const bool *marked) {
    int sum = 0;
    for (int arc = 0; arc < network->arc_count; arc += 2) {
        int from = network->arcs[partner(arc)].to;
        int to = network->arcs[arc].to;
        if (marked[from] && !marked[to])
            sum += network->arcs[arc].capacity;
    }
    return sum;
}

Answer maximum_flow(int vertices, const Pipe *pipes, int count, int source, int sink) {
    Network network;
    bool marked[MOST_VERTICES];
    int arrived[MOST_VERTICES];
    Answer answer;
    answer.flow = 0;
    answer.cut = 0;
    answer.rounds = 0;

    answer.status = network_build(&network, vertices, pipes, count);
    if (answer.status != OK)
        return answer;
    if (!is_vertex(&network, source) || !is_vertex(&network, sink) || source == sink) {
        answer.status = BAD_VERTEX;
        return answer;
    }
    while (find_path(&network, source, sink, marked, arrived)) {
        int amount = narrowest(&network, source, sink, arrived);
        augment(&network, source, sink, arrived, amount);
        answer.flow += amount;
        answer.rounds++;
    }
    answer.cut = cut_capacity(&network, marked);
    if (!is_feasible(&network, source, sink, answer.flow))
        answer.status = BROKEN;
    return answer;
}
