#include <cstdio>
void a() noexcept {} void b() {} struct M { M(M &&) noexcept {} M() {} };
int main() { printf("%d %d %d\n", noexcept(a()), noexcept(b()), noexcept(M(M()))); try { a(); b(); throw 1; } catch (...) { printf("x\n"); } }
