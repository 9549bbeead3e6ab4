#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf b;
static int order(const void *x, const void *y) { int l = *(const int *)x, r = *(const int *)y; if (l == 0 || r == 0) longjmp(b, 1); return l - r; }
int main(void) { int v[] = {3, 1, 2}, w[] = {3, 0, 2}; if (setjmp(b)) { printf("zero\n"); return 0; } qsort(v, 3, sizeof *v, order); printf("%d %d %d\n", v[0], v[1], v[2]); qsort(w, 3, sizeof *w, order); printf("not here\n"); return 0; }
