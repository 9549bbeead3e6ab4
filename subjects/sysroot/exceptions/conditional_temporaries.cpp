#include <cstdio>
struct T { int n; T(int n) : n(n) { printf("+%d\n", n); } ~T() { printf("-%d\n", n); } };
int use(const T &a, const T &b) { if (a.n + b.n > 5) throw a.n + b.n; return a.n; }
int main() { for (int i = 1; i < 4; i++) try { printf("%d\n", i > 1 ? use(T(i), T(i * 2)) : use(T(1), T(1))); } catch (int e) { printf("=%d\n", e); } }
