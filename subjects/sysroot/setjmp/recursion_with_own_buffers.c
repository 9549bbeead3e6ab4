#include <setjmp.h>
#include <stdio.h>
static int f(int n) { jmp_buf b; volatile int m = n; int r = setjmp(b); if (r) return r + m; if (n == 0) longjmp(b, 100); int below = f(n - 1); if (n % 2) longjmp(b, below); return below + 1; }
int main(void) { for (int i = 0; i < 6; i++) printf("%d\n", f(i)); return 0; }
