#include <cstdio>
#include <vector>
struct X { static int live, left; int n; X(int n) : n(n) { live++; } X(const X &o) : n(o.n) { if (left-- == 0) throw 1; live++; } ~X() { live--; } };
int X::live, X::left = 100;
int main() { { std::vector<X> v; for (int i = 0; i < 4; i++) v.emplace_back(i); X::left = 2; try { v.reserve(50); printf("grown\n"); } catch (int) { printf("kept %d\n", (int)v.size()); } } printf("%d\n", X::live); }
