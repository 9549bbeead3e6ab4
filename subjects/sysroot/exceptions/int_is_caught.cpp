#include <cstdio>
int f(int x) { if (x > 2) throw x; return x; }
int main() {
    for (int i = 0; i < 5; i++) try { printf("f %d\n", f(i)); } catch (int e) { printf("caught %d\n", e); }
}
