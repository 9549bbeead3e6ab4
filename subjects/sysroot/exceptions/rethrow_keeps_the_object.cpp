#include <cstdio>
struct E { int n; E(int n) : n(n) {} E(const E &o) : n(o.n) { printf("copy\n"); } ~E() { printf("gone %d\n", n); } };
int main() {
    try { try { throw E(1); } catch (E &e) { e.n = 2; throw; } } catch (const E &e) { printf("%d\n", e.n); }
    try { try { throw E(3); } catch (E &e) { throw e; } } catch (const E &e) { printf("%d\n", e.n); }
    printf("end\n");
}
