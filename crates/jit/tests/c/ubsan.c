#include "abi.h"
int add(int a, int b) { return a + b; }
int at(int i) { int a[4] = {1, 2, 3, 4}; return a[i]; }
int load(int *p) { return *p; }
int shift(int n) { return 1 << n; }
int divide(int a, int b) { return a / b; }
RELATION(overflow) { RUN(add(2147483647, (int)tw_int(N("n"), 0, 1, 1))); }
RELATION(index) { RUN(at((int)tw_int(N("n"), 0, 4, 4))); }
RELATION(null) { RUN(load((int *)(intptr_t)tw_int(N("n"), 0, 0, 0))); }
RELATION(shift) { RUN(shift((int)tw_int(N("n"), 0, 40, 40))); }
RELATION(division) { RUN(divide(1, (int)tw_int(N("n"), 0, 0, 0))); }
RELATION(fine) { CHECK_EQ(RUN(add(1, 2)), RUN(add(2, 1))); }
