/* Dijkstra's algorithm with an indexed heap. */
#include "dijkstra.h"

/* ---- The graph ---- */

static bool is_vertex(const Graph *graph, int vertex) {
    if (vertex < 0)
        return false;
    if (vertex >= graph->vertices)
        return false;
    return true;
}

static Status add_edge(Graph *graph, Edge edge) {
    if (!is_vertex(graph, edge.from) || !is_vertex(graph, edge.to))
        return BAD_VERTEX;
    if (edge.weight < 0)
        return BAD_WEIGHT;
    if (graph->edge_count == MOST_EDGES)
        return BAD_SIZE;
    int number = graph->edge_count;
    graph->edges[number] = edge;
    graph->next_edge[number] = graph->first_edge[edge.from];
    graph->first_edge[edge.from] = number;
    graph->edge_count++;
    return OK;
}

Status graph_build(Graph *graph, int vertices, const Edge *edges, int count) {
    if (vertices < 1 || vertices > MOST_VERTICES)
        return BAD_SIZE;
    graph->vertices = vertices;
    graph->edge_count = 0;
    for (int vertex = 0; vertex < vertices; vertex++)
        graph->first_edge[vertex] = NO_EDGE;
    for (int i = 0; i < count; i++) {
        Status status = add_edge(graph, edges[i]);
        if (status != OK)
            return status;
    }
    return OK;
}

/* ---- The heap: vertices ordered by their distance, and where each of them is ---- */

enum { NOT_IN_HEAP = -1 };

typedef struct {
    int size;
    int vertex[MOST_VERTICES + 1]; /* from 1; the children of i are 2i and 2i + 1 */
    int place[MOST_VERTICES];
    const int *distance;
} Heap;

static void heap_init(Heap *heap, int vertices, const int *distance) {
    heap->size = 0;
    heap->distance = distance;
    for (int vertex = 0; vertex < vertices; vertex++)
        heap->place[vertex] = NOT_IN_HEAP;
}

static bool heap_contains(const Heap *heap, int vertex) {
    return heap->place[vertex] != NOT_IN_HEAP;
}

static bool is_greater(const Heap *heap, int i, int j) {
    return heap->distance[heap->vertex[i]] > heap->distance[heap->vertex[j]];
}

static void exchange(Heap *heap, int i, int j) {
    int kept = heap->vertex[i];
    heap->vertex[i] = heap->vertex[j];
    heap->vertex[j] = kept;
    heap->place[heap->vertex[i]] = i;
    heap->place[heap->vertex[j]] = j;
}

static void swim(Heap *heap, int i) {
    while (i > 1 && is_greater(heap, i / 2, i)) {
        exchange(heap, i / 2, i);
        i = i / 2;
    }
}

static void sink(Heap *heap, int i) {
    while (2 * i <= heap->size) {
        int child = 2 * i;
        if (child < heap->size && is_greater(heap, child, child + 1))
            child++;
        if (!is_greater(heap, i, child))
            break;
        exchange(heap, i, child);
        i = child;
    }
}

static void heap_insert(Heap *heap, int vertex) {
    heap->size++;
    heap->vertex[heap->size] = vertex;
    heap->place[vertex] = heap->size;
    swim(heap, heap->size);
}

/* The distance of this vertex has become smaller. */
static void heap_decrease(Heap *heap, int vertex) {
    swim(heap, heap->place[vertex]);
}

static int heap_take_nearest(Heap *heap) {
    int nearest = heap->vertex[1];
    exchange(heap, 1, heap->size);
    heap->size--;
    sink(heap, 1);
    heap->place[nearest] = NOT_IN_HEAP;
    return nearest;
}

/* ---- The paths ---- */

static void relax(const Graph *graph, Paths *paths, Heap *heap, int number) {
    const Edge *edge = &graph->edges[number];
    int through = paths->distance[edge->from] + edge->weight;
    if (through >= paths->distance[edge->to])
        return;
    paths->distance[edge->to] = through;
    paths->last_edge[edge->to] = number;
    if (heap_contains(heap, edge->to))
        heap_decrease(heap, edge->to);
    else
        heap_insert(heap, edge->to);
}

Status shortest_paths(const Graph *graph, int source, Paths *paths) {
    Heap heap;
    if (!is_vertex(graph, source))
        return BAD_VERTEX;
    paths->source = source;
    for (int vertex = 0; vertex < graph->vertices; vertex++) {
        paths->distance[vertex] = UNREACHABLE;
        paths->last_edge[vertex] = NO_EDGE;
    }
    paths->distance[source] = 0;

    heap_init(&heap, graph->vertices, paths->distance);
    heap_insert(&heap, source);
    while (heap.size > 0) {
        int nearest = heap_take_nearest(&heap);
        int number = graph->first_edge[nearest];
        while (number != NO_EDGE) {
            relax(graph, paths, &heap, number);
            number = graph->next_edge[number];
        }
    }
    return check_paths(graph, paths);
}

bool has_path(const Paths *paths, int target) {
    return paths->distance[target] < UNREACHABLE;
}

int path_to(const Graph *graph, const Paths *paths, int target, int *route) {
    if (!has_path(paths, target))
        return 0;
    int count = 1;
    int vertex = target;
    while (paths->last_edge[vertex] != NO_EDGE && count <= graph->vertices) {
        vertex = graph->edges[paths->last_edge[vertex]].from;
        count++;
    }
    if (vertex != paths->source)
        return 0;
    vertex = target;
    for (int i = count - 1; i > 0; i--) {
        route[i] = vertex;
        vertex = graph->edges[paths->last_edge[vertex]].from;
    }
    route[0] = vertex;
    return count;
}

int route_length(const Graph *graph, const int *route, int count) {
    int length = 0;
    for (int i = 1; i < count; i++) {
        int step = UNREACHABLE;
        int number = graph->first_edge[route[i - 1]];
        while (number != NO_EDGE) {
            const Edge *edge = &graph->edges[number];
            if (edge->to == route[i] && edge->weight < step)
                step = edge->weight;
            number = graph->next_edge[number];
        }
        if (step == UNREACHABLE)
            return UNREACHABLE;
        length += step;
    }
    return length;
}

Status check_paths(const Graph *graph, const Paths *paths) {
    if (paths->distance[paths->source] != 0)
        return BROKEN;
    if (paths->last_edge[paths->source] != NO_EDGE)
        return BROKEN;
    for (int vertex = 0; vertex < graph->vertices; vertex++) {
        if (vertex == paths->source)
            continue;
        bool has_edge = paths->last_edge[vertex] != NO_EDGE;
        if (has_edge != has_path(paths, vertex))
            return BROKEN;
    }
    for (int number = 0; number < graph->edge_count; number++) {
        const Edge *edge = &graph->edges[number];
        if (!has_path(paths, edge->from))
            continue;
        /* No edge is a short cut, and those on the paths are tight. */
        int through = paths->distance[edge->from] + edge->weight;
        if (through < paths->distance[edge->to])
            return BROKEN;
        if (paths->last_edge[edge->to] == number && through != paths->distance[edge->to])
            return BROKEN;
    }
    return OK;
}

Answer find_route(int vertices, const Edge *edges, int count, int source, int target) {
    Graph graph;
    Answer answer;
    int route[MOST_VERTICES + 1];
    answer.count = 0;
    answer.length = 0;
    answer.status = graph_build(&graph, vertices, edges, count);
    if (answer.status != OK)
        return answer;
    if (!is_vertex(&graph, target)) {
        answer.status = BAD_VERTEX;
        return answer;
    }
    answer.status = shortest_paths(&graph, source, &answer.paths);
    if (answer.status != OK)
        return answer;
    answer.count = path_to(&graph, &answer.paths, target, route);
    answer.length = route_length(&graph, route, answer.count);
    return answer;
}
