#include <cstdio>
#include <exception>
struct E { int n; ~E() { printf("gone\n"); } };
int main() {
    std::exception_ptr p, q;
    try { throw E{3}; } catch (...) { p = std::current_exception(); }
    q = p;
    for (int i = 0; i < 2; i++) try { std::rethrow_exception(i ? p : q); } catch (const E &e) { printf("%d\n", e.n); }
    p = nullptr; printf("one left\n"); q = nullptr; printf("none %d\n", std::current_exception() == nullptr);
}
