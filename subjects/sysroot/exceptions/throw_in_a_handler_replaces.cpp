#include <cstdio>
struct E { int n; ~E() { printf("gone %d\n", n); } };
int main() { try { try { throw E{1}; } catch (E &) { throw 2L; } } catch (long l) { printf("%ld\n", l); } }
