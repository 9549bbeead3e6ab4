/* Disjoint sets, united by size. */
#ifndef UNION_FIND_H
#define UNION_FIND_H

#include <stdbool.h>

enum { UNION_ROOM = 12 };

typedef struct {
    int members;
    int sets;
    int parent[UNION_ROOM];
    int size[UNION_ROOM];
} UnionFind;

void union_init(UnionFind *sets, int members);
int union_find(UnionFind *sets, int member);
bool union_connected(UnionFind *sets, int a, int b);
/* Unites the two sets; false if they were one already. */
bool union_unite(UnionFind *sets, int a, int b);
int union_count(const UnionFind *sets);

#endif
