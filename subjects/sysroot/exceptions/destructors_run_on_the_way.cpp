#include <cstdio>
struct D { int k; D(int k) : k(k) { printf("+%d\n", k); } ~D() { printf("-%d\n", k); } };
void c(int n) { D d(n); if (n == 3) throw 'x'; c(n + 1); }
int main() { try { D d(0); c(1); } catch (char e) { printf("%c\n", e); } }
