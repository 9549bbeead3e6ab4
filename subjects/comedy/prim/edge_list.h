/* The edges chosen so far, in the order in which they were added. */
#ifndef EDGE_LIST_H
#define EDGE_LIST_H

#include "graph.h"

typedef struct {
    int count;
    Edge edges[MOST_VERTICES];
} EdgeList;

void list_init(EdgeList *list);
bool list_append(EdgeList *list, Edge edge);
int list_count(const EdgeList *list);
const Edge *list_at(const EdgeList *list, int position);
int list_weight(const EdgeList *list);
bool list_contains(const EdgeList *list, const Edge *edge);
int list_heaviest(const EdgeList *list);

#endif
