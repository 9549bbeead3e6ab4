#include <cstdio>
#include <exception>
struct D { ~D() { printf("%d\n", std::uncaught_exceptions()); try { throw 2; } catch (int) { printf("in %d\n", std::uncaught_exceptions()); } } };
int main() { { D d; } try { D d; throw 1; } catch (int) { printf("h %d\n", std::uncaught_exceptions()); } }
