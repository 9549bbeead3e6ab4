#include <cstdio>
void again() { throw; }
void sort_out() { try { throw; } catch (int e) { printf("int %d\n", e); } catch (const char *e) { printf("text %s\n", e); } }
int main() {
    try { try { throw 4; } catch (...) { again(); } } catch (int e) { printf("%d\n", e); }
    try { throw 1; } catch (...) { sort_out(); }
    try { throw "x"; } catch (...) { sort_out(); }
}
