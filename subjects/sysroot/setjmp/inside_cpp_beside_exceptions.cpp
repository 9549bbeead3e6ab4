#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
static int f(int k) { try { if (k == 1) throw 5; if (k == 2) longjmp(b, 7); return 0; } catch (int e) { if (k == 1) longjmp(b, e); return e; } }
int main() { for (volatile int k = 0; k < 3; k++) { int r = setjmp(b); if (r == 0) printf("%d: %d\n", k, f(k)); else printf("%d: jumped %d\n", k, r); } }
