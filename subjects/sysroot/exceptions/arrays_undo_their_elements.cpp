#include <cstdio>
static int made; struct X { int n; X() : n(made++) { if (n == 3) throw n; printf("+%d\n", n); } ~X() { printf("-%d\n", n); } };
int main() {
    try { X x[5]; } catch (int e) { printf("%d\n", e); }
    made = 1;
    try { delete[] new X[5]; } catch (int e) { printf("%d\n", e); }
}
