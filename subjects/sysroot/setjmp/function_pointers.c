#include <setjmp.h>
#include <stdio.h>
static jmp_buf b; typedef int (*op)(int, int);
static int add(int x, int y) { return x + y; } static int divide(int x, int y) { if (y == 0) longjmp(b, 1); return x / y; }
static int apply(op f, int x, int y) { if (setjmp(b)) return -1; return f(x, y); }
int main(void) { op ops[] = {add, divide}; for (int i = 0; i < 2; i++) printf("%d %d\n", apply(ops[i], 6, 3), apply(ops[i], 6, 0)); return 0; }
