#include "graph.h"

/* ---- Edges ---- */

int edge_either(const Edge *edge) {
    return edge->v;
}

int edge_other(const Edge *edge, int vertex) {
    if (vertex == edge->v)
        return edge->w;
    if (vertex == edge->w)
        return edge->v;
    return NO_VERTEX;
}

bool edge_is_loop(const Edge *edge) {
    return edge->v == edge->w;
}

int edge_compare(const Edge *a, const Edge *b) {
    if (a->weight < b->weight)
        return -1;
    if (a->weight > b->weight)
        return 1;
    return 0;
}

/* ---- Building ---- */

bool graph_init(Graph *graph, int vertices) {
    if (vertices < 1)
        return false;
    if (vertices > MOST_VERTICES)
        return false;
    graph->vertices = vertices;
    graph->edge_count = 0;
    graph->link_count = 0;
    for (int vertex = 0; vertex < vertices; vertex++) {
        graph->first_link[vertex] = NO_LINK;
        graph->degree[vertex] = 0;
    }
    return true;
}

bool graph_has_vertex(const Graph *graph, int vertex) {
    if (vertex < 0)
        return false;
    if (vertex >= graph->vertices)
        return false;
    return true;
}

static void add_link(Graph *graph, int vertex, int edge) {
    int number = graph->link_count;
    graph->links[number].edge = edge;
    graph->links[number].next = graph->first_link[vertex];
    graph->first_link[vertex] = number;
    graph->degree[vertex]++;
    graph->link_count++;
}

bool graph_add_edge(Graph *graph, Edge edge) {
    if (!graph_has_vertex(graph, edge.v))
        return false;
    if (!graph_has_vertex(graph, edge.w))
        return false;
    if (graph->edge_count == MOST_EDGES)
        return false;
    int number = graph->edge_count;
    graph->edges[number] = edge;
    graph->edge_count++;
    add_link(graph, edge.v, number);
    if (!edge_is_loop(&edge))
        add_link(graph, edge.w, number);
    return true;
}

bool graph_read(Graph *graph, Reader *reader) {
    int vertices = reader_next(reader, 1, MOST_VERTICES);
    int edges = reader_next(reader, 0, MOST_EDGES);
    if (reader_failed(reader))
        return false;
    if (!graph_init(graph, vertices))
        return false;
    for (int i = 0; i < edges; i++) {
        Edge edge;
        edge.v = reader_next(reader, 0, vertices - 1);
        edge.w = reader_next(reader, 0, vertices - 1);
        edge.weight = reader_next(reader, -LARGEST_WEIGHT, LARGEST_WEIGHT);
        if (reader_failed(reader))
            return false;
        if (!graph_add_edge(graph, edge))
            return false;
    }
    return reader_at_end(reader);
}

/* ---- Looking ---- */

int graph_first(const Graph *graph, int vertex) {
    return graph->first_link[vertex];
}

int graph_next(const Graph *graph, int link) {
    return graph->links[link].next;
}

const Edge *graph_edge(const Graph *graph, int link) {
    return &graph->edges[graph->links[link].edge];
}

int graph_degree(const Graph *graph, int vertex) {
    return graph->degree[vertex];
}

int graph_total_weight(const Graph *graph) {
    int sum = 0;
    for (int i = 0; i < graph->edge_count; i++)
        sum += graph->edges[i].weight;
    return sum;
}

/* Depth first, with the vertices still to be visited on a stack. */
static void mark_component(const Graph *graph, int *component, int start, int number) {
    int stack[MOST_VERTICES];
    int size = 0;
    component[start] = number;
    stack[size] = start;
    size++;
    while (size > 0) {
        size--;
        int vertex = stack[size];
        int link = graph_first(graph, vertex);
        while (link != NO_LINK) {
            int other = edge_other(graph_edge(graph, link), vertex);
            if (component[other] < 0) {
                component[other] = number;
                stack[size] = other;
                size++;
            }
            link = graph_next(graph, link);
        }
    }
}

int graph_components(const Graph *graph, int *component) {
    int count = 0;
    for (int vertex = 0; vertex < graph->vertices; vertex++)
        component[vertex] = -1;
    for (int vertex = 0; vertex < graph->vertices; vertex++) {
        if (component[vertex] >= 0)
            continue;
        mark_component(graph, component, vertex, count);
        count++;
    }
    return count;
}
