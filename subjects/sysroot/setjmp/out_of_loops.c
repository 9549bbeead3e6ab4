#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
int main(void) { volatile int i, j, n = 0; if (setjmp(b) == 0) { for (i = 0; i < 10; i++) for (j = 0; j < 10; j++) { n++; if (i * j == 12) longjmp(b, 1); } } printf("%d %d %d\n", i, j, n); return 0; }
