#include "union_find.h"

void union_init(UnionFind *sets, int members) {
    sets->members = members;
    sets->sets = members;
    for (int member = 0; member < members; member++) {
        sets->parent[member] = member;
        sets->size[member] = 1;
    }
}

int union_find(UnionFind *sets, int member) {
    while (member != sets->parent[member]) {
        /* Halve the way for the next time. */
        sets->parent[member] = sets->parent[sets->parent[member]];
        member = sets->parent[member];
    }
    return member;
}

bool union_connected(UnionFind *sets, int a, int b) {
    return union_find(sets, a) == union_find(sets, b);
}

bool union_unite(UnionFind *sets, int a, int b) {
    int root_a = union_find(sets, a);
    int root_b = union_find(sets, b);
    if (root_a == root_b)
        return false;
    if (sets->size[root_a] < sets->size[root_b]) {
        sets->parent[root_a] = root_b;
        sets->size[root_b] += sets->size[root_a];
    } else {
        sets->parent[root_b] = root_a;
        sets->size[root_a] += sets->size[root_b];
    }
    sets->sets--;
    return true;
}

int union_count(const UnionFind *sets) {
    return sets->sets;
}
