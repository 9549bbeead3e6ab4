#include <cstdio>
static int tries; struct S { int n; S() { if (++tries < 3) throw tries; n = tries; } };
int get() { static S s; return s.n; }
int main() { for (int i = 0; i < 4; i++) try { printf("%d\n", get()); } catch (int e) { printf("failed %d\n", e); } }
