#include <cstdio>
struct S { virtual int area(int) = 0; virtual ~S() { printf("~S\n"); } }; struct Q : S { int area(int n) override { if (n < 0) throw n; return n * n; } };
int main() { S *s = new Q; try { printf("%d\n", s->area(3)); printf("%d\n", s->area(-3)); } catch (int e) { printf("%d\n", e); } delete s; }
