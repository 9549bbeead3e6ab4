#include <cstdio>
struct A { int a = 1; }; struct B : A { int b = 2; };
int main() {
    B b; int i = 5; int *p = &i;
    try { throw &b; } catch (A *a) { printf("A* %d\n", a->a); }
    try { throw p; } catch (const int *q) { printf("const int* %d\n", *q); }
    try { throw p; } catch (void *q) { printf("void* %d\n", *static_cast<int *>(q)); }
    try { throw nullptr; } catch (int *q) { printf("null %d\n", q == nullptr); }
    try { try { throw p; } catch (char *) { printf("char*\n"); } } catch (int *q) { printf("int* %d\n", *q); }
}
