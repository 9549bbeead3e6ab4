#include <cstdio>
#include <cstdlib>
#include <new>
struct B { B() { throw 1; } static void *operator new(size_t n) { printf("new\n"); return malloc(n); } static void operator delete(void *p) { printf("delete\n"); free(p); } };
int main() { try { new B; } catch (int e) { printf("%d\n", e); } }
