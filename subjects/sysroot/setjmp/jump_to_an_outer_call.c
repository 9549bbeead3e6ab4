#include <setjmp.h>
#include <stdio.h>
static jmp_buf outer;
static void c(int k) { jmp_buf inner; if (setjmp(inner) == 0) { if (k) longjmp(outer, 2); longjmp(inner, 1); } printf("inner\n"); }
static void b_(int k) { c(k); printf("b\n"); }
int main(void) { volatile int k; for (k = 0; k < 2; k++) if (setjmp(outer) == 0) b_(k); else printf("outer\n"); return 0; }
