#include <cstdio>
struct G { int *n; G(int *n) : n(n) {} ~G() { ++*n; } };
void down(int depth, int *left) { G g(left); if (depth == 0) throw 1; down(depth - 1, left); }
int main() { int left = 0; for (int i = 0; i < 3; i++) try { down(500, &left); } catch (int) { printf("%d\n", left); } }
