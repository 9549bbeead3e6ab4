#include <cstdio>
struct V { int v = 7; virtual ~V() {} }; struct A : virtual V { int a = 1; }; struct B : virtual V { int b = 2; }; struct C : A, B { int c = 3; };
int main() {
    try { throw C(); } catch (V &v) { printf("v %d\n", v.v); }
    try { throw C(); } catch (B &b) { printf("b %d v %d\n", b.b, b.v); }
}
