#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
struct G { ~G() { printf("g\n"); } };
static int f(int k) { G g; if (setjmp(b)) return 1; if (k == 0) return 0; if (k == 1) throw k; longjmp(b, 1); }
int main() { for (volatile int k = 0; k < 2; k++) try { printf("%d\n", f(k)); } catch (int e) { printf("caught %d\n", e); } }
