#include <cstdio>
struct G { int i; ~G() { printf("g%d\n", i); } };
int main() {
    for (int i = 0; i < 6; i++) {
        G g{i};
        try { if (i == 1) continue; if (i == 4) break; if (i == 2) throw i; } catch (int) { printf("c\n"); continue; }
        printf("end %d\n", i);
    }
}
