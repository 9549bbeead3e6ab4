#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
static int down(int n) { char room[64]; room[n % 64] = (char)n; if (n == 0) longjmp(b, 7); return down(n - 1) + room[n % 64]; }
int main(void) { for (volatile int i = 0; i < 3; i++) { int r = setjmp(b); if (r) printf("%d back %d\n", i, r); else down(400); } return 0; }
