#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
static void g(double d) { if (d > 2) longjmp(b, (int)d); }
static double f(double x, long long l, const char *s) { volatile double y = x / 4; int r = setjmp(b); if (r == 0) { g(x); return y; } printf("%s %lld %d %g\n", s, l, r, y); return -y; }
int main(void) { printf("%g\n", f(1, 1, "a")); printf("%g\n", f(9, 1LL << 40, "b")); return 0; }
