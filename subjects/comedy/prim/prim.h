/* The minimum spanning tree of a graph, or a forest if the graph is not connected. */
#ifndef PRIM_H
#define PRIM_H

#include "edge_list.h"
#include "graph.h"

typedef enum { OK, BAD_INPUT, NOT_THE_WEIGHT, CYCLE, NOT_SPANNING, NOT_MINIMAL, BROKEN_QUEUE } Status;

typedef struct {
    Status status;
    int weight;
    int trees;
    int heaviest; /* the weight of its heaviest edge */
    EdgeList edges;
} Forest;

/* Reads the graph from numbers (see graph_read) and finds its forest. */
Forest spanning_forest(const int *numbers, int count);

#endif
