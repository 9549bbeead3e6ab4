#include <cstdio>
#include <typeinfo>
struct A { virtual ~A() {} }; struct B : A {}; struct C : A {};
int main() { A *a = new B; try { dynamic_cast<C &>(*a); } catch (const std::bad_cast &) { printf("cast\n"); } A *n = nullptr; try { printf("%s\n", typeid(*n).name()); } catch (const std::bad_typeid &) { printf("typeid\n"); } }
