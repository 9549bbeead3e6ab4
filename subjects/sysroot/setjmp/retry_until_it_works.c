#include <setjmp.h>
#include <stdio.h>
static jmp_buf b; static int failures;
static int flaky(void) { if (failures++ < 3) longjmp(b, failures); return 42; }
int main(void) { volatile int tries = 0; int why = setjmp(b); tries++; if (why) printf("failed %d\n", why); int v = flaky(); printf("%d after %d\n", v, tries); return 0; }
