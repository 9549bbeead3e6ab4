/* Shortest paths in a directed graph with weights that are not negative. */
#include <stdbool.h>

enum { MOST_VERTICES = 10, MOST_EDGES = 40, UNREACHABLE = 1000000, NO_EDGE = -1 };

typedef struct {
    int from, to, weight;
} Edge;

/* From each vertex the edges that leave it, as a chain of edge numbers. */
typedef struct {
    int vertices;
    int edge_count;
    Edge edges[MOST_EDGES];
    int first_edge[MOST_VERTICES];
    int next_edge[MOST_EDGES];
} Graph;

typedef struct {
    int source;
    int distance[MOST_VERTICES];
    int last_edge[MOST_VERTICES]; /* on the shortest path to each vertex */
} Paths;

typedef enum { OK, BAD_SIZE, BAD_VERTEX, BAD_WEIGHT, BROKEN } Status;

Status graph_build(Graph *graph, int vertices, const Edge *edges, int count);
Status shortest_paths(const Graph *graph, int source, Paths *paths);

bool has_path(const Paths *paths, int target);
/* The vertices on the path to the target, the source first; how many they are, 0 if there is no path. */
int path_to(const Graph *graph, const Paths *paths, int target, int *route);
/* The summed weights along a route; UNREACHABLE if it misses an edge. */
int route_length(const Graph *graph, const int *route, int count);
/* Are the distances those of shortest paths? */
Status check_paths(const Graph *graph, const Paths *paths);

typedef struct {
    Status status;
    Paths paths;
    int count;  /* of the vertices on the route to the target */
    int length; /* of the route */
} Answer;

/* All of it: the distances from the source and the route to the target. */
Answer find_route(int vertices, const Edge *edges, int count, int source, int target);
