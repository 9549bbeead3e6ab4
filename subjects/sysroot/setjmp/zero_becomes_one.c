#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
int main(void) { volatile int n = 0; int r = setjmp(b); printf("%d\n", r); if (n++ == 0) longjmp(b, 0); return 0; }
