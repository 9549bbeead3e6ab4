#include <cstdio>
struct L { int l = 10; }; struct R { int r = 20; }; struct M : L, R { int m = 30; };
int main() {
    try { throw M(); } catch (R &r) { printf("r %d\n", r.r); }
    try { throw M(); } catch (L &l) { printf("l %d\n", l.l); }
    try { M m; throw &m; } catch (R *r) { printf("r* %d\n", r->r); }
}
