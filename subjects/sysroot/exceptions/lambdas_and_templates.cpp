#include <cstdio>
template <class F> int guarded(F f) { try { return f(); } catch (int e) { return -e; } }
template <class T> struct Holder { T v; T get(bool fail) { if (fail) throw v; return v; } };
int main() { int x = 5; printf("%d %d\n", guarded([&] { return x; }), guarded([&]() -> int { throw x + 1; })); try { Holder<const char *>{"held"}.get(true); } catch (const char *e) { printf("%s\n", e); } }
