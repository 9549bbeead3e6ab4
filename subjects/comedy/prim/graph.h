/* An undirected graph with weighted edges. */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>

#include "reader.h"

enum { MOST_VERTICES = 12, MOST_EDGES = 40, LARGEST_WEIGHT = 10000, NO_LINK = -1, NO_VERTEX = -1 };

typedef struct {
    int v, w;
    int weight;
} Edge;

int edge_either(const Edge *edge);
/* The other end; NO_VERTEX if the edge does not end at this vertex. */
int edge_other(const Edge *edge, int vertex);
bool edge_is_loop(const Edge *edge);
/* Less than, equal to, greater than zero. */
int edge_compare(const Edge *a, const Edge *b);

/* One entry in the list of edges at a vertex. */
typedef struct {
    int edge;
    int next;
} Link;

typedef struct {
    int vertices;
    int edge_count;
    Edge edges[MOST_EDGES];
    int first_link[MOST_VERTICES];
    int degree[MOST_VERTICES];
    int link_count;
    Link links[2 * MOST_EDGES];
} Graph;

bool graph_init(Graph *graph, int vertices);
bool graph_add_edge(Graph *graph, Edge edge);
/* Reads the number of vertices, the number of edges, and v, w, weight for each edge. */
bool graph_read(Graph *graph, Reader *reader);
bool graph_has_vertex(const Graph *graph, int vertex);

/* The edges at a vertex: for (int l = graph_first(g, v); l != NO_LINK; l = graph_next(g, l)) … graph_edge(g, l) */
int graph_first(const Graph *graph, int vertex);
int graph_next(const Graph *graph, int link);
const Edge *graph_edge(const Graph *graph, int link);

int graph_degree(const Graph *graph, int vertex);
int graph_total_weight(const Graph *graph);
/* Numbers the connected components from 0 in `component`; how many there are. */
int graph_components(const Graph *graph, int *component);

#endif
