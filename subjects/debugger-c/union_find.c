#include <stdio.h>
static int parent[6];
int find(int x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}
void unite(int a, int b) {
    int ra = find(a);
    int rb = find(b);
    parent[ra] = rb;
}
int main(void) {
    for (int i = 0; i < 6; i++)
        parent[i] = i;
    unite(0, 1);
    unite(2, 3);
    unite(1, 2);
    int same = find(0) == find(3);
    int other = find(0) == find(5);
    printf("%d %d\n", same, other);
    return 0;
}
