#include "edge_list.h"

void list_init(EdgeList *list) {
    list->count = 0;
}

bool list_append(EdgeList *list, Edge edge) {
    if (list->count == MOST_VERTICES)
        return false;
    list->edges[list->count] = edge;
    list->count++;
    return true;
}

int list_count(const EdgeList *list) {
    return list->count;
}

const Edge *list_at(const EdgeList *list, int position) {
    return &list->edges[position];
}

int list_weight(const EdgeList *list) {
    int sum = 0;
    for (int i = 0; i < list->count; i++)
        sum += list->edges[i].weight;
    return sum;
}

static bool is_same(const Edge *a, const Edge *b) {
    if (edge_compare(a, b) != 0)
        return false;
    if (a->v == b->v && a->w == b->w)
        return true;
    return a->v == b->w && a->w == b->v;
}

bool list_contains(const EdgeList *list, const Edge *edge) {
    for (int i = 0; i < list->count; i++) {
        if (is_same(&list->edges[i], edge))
            return true;
    }
    return false;
}

int list_heaviest(const EdgeList *list) {
    if (list->count == 0)
        return 0;
    int heaviest = list->edges[0].weight;
    for (int i = 1; i < list->count; i++) {
        if (list->edges[i].weight > heaviest)
            heaviest = list->edges[i].weight;
    }
    return heaviest;
}
