#include <cstdio>
int main() {
    try { throw 1; } catch (int a) {
        try { throw 2; } catch (int b) { printf("%d %d\n", a, b); try { throw; } catch (int c) { printf("again %d\n", c); } }
        try { throw; } catch (int c) { printf("outer %d\n", c); }
    }
}
