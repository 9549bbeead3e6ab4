#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) { jmp_buf *b = malloc(sizeof *b); volatile int n = 0; if (setjmp(*b) < 2) { n++; longjmp(*b, n); } printf("%d\n", n); free(b); return 0; }
