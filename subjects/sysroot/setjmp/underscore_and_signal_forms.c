#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
static jmp_buf a; static sigjmp_buf b;
int main(void) { volatile int k = 0; int r = _setjmp(a); printf("%d\n", r); if (k++ == 0) _longjmp(a, 6); r = sigsetjmp(b, 1); printf("%d\n", r); if (k++ == 1) siglongjmp(b, 8); return 0; }
