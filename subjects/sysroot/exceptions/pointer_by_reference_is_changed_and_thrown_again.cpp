#include <cstdio>
int main() {
    int i = 5, j = 6; int *p = &i;
    try { try { throw p; } catch (int *&q) { printf("%d\n", *q); q = &j; throw; } } catch (int *q) { printf("%d\n", *q); }
}
