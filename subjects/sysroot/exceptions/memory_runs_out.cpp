#include <cstdio>
#include <new>
int main() {
    volatile size_t much = (size_t)-1 / 4 * 3;
    try { char *p = new char[much]; printf("%d\n", p != nullptr); } catch (const std::bad_alloc &) { printf("bad_alloc\n"); }
    printf("%d\n", new (std::nothrow) char[much] == nullptr);
}
