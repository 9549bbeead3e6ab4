#include <cstdio>
struct V { int v = 7; }; struct A : V {}; struct B : V {}; struct C : A, B {}; struct H : private V {};
int main() {
    try { try { throw C(); } catch (V &) { printf("V\n"); } } catch (A &) { printf("A\n"); }
    try { try { throw H(); } catch (V &) { printf("V\n"); } } catch (...) { printf("other\n"); }
}
