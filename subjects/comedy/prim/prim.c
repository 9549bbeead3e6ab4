/* Prim's algorithm with an indexed priority queue, from every vertex that has not been reached. */
#include "prim.h"

#include "index_queue.h"
#include "union_find.h"

typedef struct {
    const Graph *graph;
    bool marked[MOST_VERTICES];
    bool has_edge[MOST_VERTICES];
    Edge nearest[MOST_VERTICES]; /* the lightest edge from the tree to each vertex outside it */
    int distance[MOST_VERTICES];
    IndexQueue queue;
    Status status;
} Search;

static void search_init(Search *search, const Graph *graph) {
    search->graph = graph;
    search->status = OK;
    for (int vertex = 0; vertex < graph->vertices; vertex++) {
        search->marked[vertex] = false;
        search->has_edge[vertex] = false;
        search->distance[vertex] = 0;
    }
    if (!queue_init(&search->queue, graph->vertices))
        search->status = BAD_INPUT;
}

/* Does this edge bring the tree nearer to the vertex? */
static bool is_nearer(const Search *search, const Edge *edge, int vertex) {
    if (!search->has_edge[vertex])
        return true;
    return edge->weight < search->distance[vertex];
}

static void approach(Search *search, const Edge *edge, int vertex) {
    search->nearest[vertex] = *edge;
    search->has_edge[vertex] = true;
    search->distance[vertex] = edge->weight;
    if (queue_contains(&search->queue, vertex)) {
        if (!queue_decrease(&search->queue, vertex, edge->weight))
            search->status = BROKEN_QUEUE;
    } else {
        if (!queue_insert(&search->queue, vertex, edge->weight))
            search->status = BROKEN_QUEUE;
    }
}

/* Takes the vertex into the tree and looks at the edges that leave it. */
static void scan(Search *search, int vertex) {
    search->marked[vertex] = true;
    int link = graph_first(search->graph, vertex);
    while (link != NO_LINK) {
        const Edge *edge = graph_edge(search->graph, link);
        int other = edge_other(edge, vertex);
        if (!search->marked[other]) {
            if (is_nearer(search, edge, other))
                approach(search, edge, other);
        }
        link = graph_next(search->graph, link);
    }
}

static void grow_tree(Search *search, int root) {
    if (!queue_insert(&search->queue, root, 0))
        search->status = BROKEN_QUEUE;
    while (!queue_is_empty(&search->queue) && search->status == OK) {
        int vertex = queue_take_least(&search->queue);
        scan(search, vertex);
        if (!queue_is_heap(&search->queue))
            search->status = BROKEN_QUEUE;
    }
}

static void collect(const Search *search, Forest *forest) {
    list_init(&forest->edges);
    for (int vertex = 0; vertex < search->graph->vertices; vertex++) {
        if (search->has_edge[vertex]) {
            if (!list_append(&forest->edges, search->nearest[vertex]))
                forest->status = BROKEN_QUEUE;
        }
    }
    forest->weight = list_weight(&forest->edges);
    forest->heaviest = list_heaviest(&forest->edges);
}

/* ---- Checking ---- */

static int weight_of_distances(const Search *search) {
    int sum = 0;
    for (int vertex = 0; vertex < search->graph->vertices; vertex++) {
        if (search->has_edge[vertex])
            sum += search->distance[vertex];
    }
    return sum;
}

static bool is_acyclic(const Graph *graph, const EdgeList *edges) {
    UnionFind sets;
    union_init(&sets, graph->vertices);
    for (int i = 0; i < list_count(edges); i++) {
        const Edge *edge = list_at(edges, i);
        int v = edge_either(edge);
        int w = edge_other(edge, v);
        if (!union_unite(&sets, v, w))
            return false;
    }
    return true;
}

static bool is_spanning(const Graph *graph, const EdgeList *edges) {
    UnionFind sets;
    union_init(&sets, graph->vertices);
    for (int i = 0; i < list_count(edges); i++)
        union_unite(&sets, list_at(edges, i)->v, list_at(edges, i)->w);
    for (int i = 0; i < graph->edge_count; i++) {
        if (!union_connected(&sets, graph->edges[i].v, graph->edges[i].w))
            return false;
    }
    return true;
}

/* Without one of its edges the tree falls apart; no other edge between the parts may be lighter. */
static bool cut_is_optimal(const Graph *graph, const EdgeList *edges, int without) {
    UnionFind sets;
    union_init(&sets, graph->vertices);
    for (int i = 0; i < list_count(edges); i++) {
        if (i != without)
            union_unite(&sets, list_at(edges, i)->v, list_at(edges, i)->w);
    }
    for (int i = 0; i < graph->edge_count; i++) {
        const Edge *edge = &graph->edges[i];
        if (union_connected(&sets, edge->v, edge->w))
            continue;
        if (edge_compare(edge, list_at(edges, without)) < 0)
            return false;
    }
    return true;
}

static Status check(const Graph *graph, const Search *search, const Forest *forest) {
    if (search->status != OK)
        return search->status;
    if (forest->weight != weight_of_distances(search))
        return NOT_THE_WEIGHT;
    if (!is_acyclic(graph, &forest->edges))
        return CYCLE;
    if (!is_spanning(graph, &forest->edges))
        return NOT_SPANNING;
    for (int i = 0; i < list_count(&forest->edges); i++) {
        if (!cut_is_optimal(graph, &forest->edges, i))
            return NOT_MINIMAL;
    }
    int component[MOST_VERTICES];
    if (graph_components(graph, component) != forest->trees)
        return NOT_SPANNING;
    return OK;
}

Forest spanning_forest(const int *numbers, int count) {
    Forest forest;
    Reader reader;
    Graph graph;
    Search search;
    forest.status = OK;
    forest.weight = 0;
    forest.trees = 0;
    forest.heaviest = 0;
    list_init(&forest.edges);

    reader_open(&reader, numbers, count);
    if (!graph_read(&graph, &reader)) {
        forest.status = BAD_INPUT;
        return forest;
    }
    search_init(&search, &graph);
    for (int vertex = 0; vertex < graph.vertices; vertex++) {
        if (!search.marked[vertex]) {
            grow_tree(&search, vertex);
            forest.trees++;
        }
    }
    collect(&search, &forest);
    forest.status = check(&graph, &search, &forest);
    return forest;
}
