#include <cstdio>
#include <cstdlib>
static int order(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; if (x == 13 || y == 13) throw 13; return (x > y) - (x < y); }
int main() {
    int good[] = {3, 1, 2}, bad[] = {5, 13, 1};
    qsort(good, 3, sizeof(int), order); printf("%d %d %d\n", good[0], good[1], good[2]);
    try { qsort(bad, 3, sizeof(int), order); } catch (int e) { printf("%d\n", e); }
}
