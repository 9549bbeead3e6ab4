#include <setjmp.h>
#include <stdio.h>
static jmp_buf a, b;
static void f(int k) { if (k & 1) longjmp(a, k); longjmp(b, k); }
int main(void) { volatile int k = 0; int r = setjmp(a); if (r) printf("a %d\n", r); int q = setjmp(b); if (q) printf("b %d\n", q); if (++k < 6) f(k); return 0; }
