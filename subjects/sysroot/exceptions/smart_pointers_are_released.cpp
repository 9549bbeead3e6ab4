#include <cstdio>
#include <memory>
struct R { int n; R(int n) : n(n) {} ~R() { printf("-%d\n", n); } };
void f(std::shared_ptr<R> s) { auto u = std::make_unique<R>(2); throw s->n; }
int main() { auto s = std::make_shared<R>(1); try { f(s); } catch (int e) { printf("%d %ld\n", e, s.use_count()); } }
