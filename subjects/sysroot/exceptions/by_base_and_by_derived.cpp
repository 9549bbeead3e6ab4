#include <cstdio>
struct A { virtual ~A() {} virtual int id() const { return 1; } }; struct B : A { int id() const override { return 2; } }; struct C : B { int id() const override { return 3; } };
void t(int k) { if (k == 0) throw A(); if (k == 1) throw B(); throw C(); }
int main() {
    for (int k = 0; k < 3; k++) {
        try { t(k); } catch (const C &e) { printf("C %d\n", e.id()); } catch (const B &e) { printf("B %d\n", e.id()); } catch (const A &e) { printf("A %d\n", e.id()); }
        try { t(k); } catch (const A &e) { printf("base %d\n", e.id()); }
        try { t(k); } catch (A e) { printf("sliced %d\n", e.id()); }
    }
}
