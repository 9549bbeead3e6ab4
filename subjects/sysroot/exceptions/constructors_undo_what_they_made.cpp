#include <cstdio>
struct P { const char *n; P(const char *n) : n(n) { printf("+%s\n", n); } ~P() { printf("-%s\n", n); } };
struct T : P { P a, b; T(int k) : P("base"), a("a"), b("b") { if (k) throw k; printf("made\n"); } ~T() { printf("-T\n"); } };
struct U { P a; U(int k) try : a("u") { if (k) throw k; } catch (int e) { printf("function try %d\n", e); } };
int main() {
    try { T t(0); T u(9); } catch (int e) { printf("%d\n", e); }
    try { U u(5); } catch (int e) { printf("%d\n", e); }
}
