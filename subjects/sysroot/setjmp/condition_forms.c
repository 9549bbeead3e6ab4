#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
int main(void) { volatile int k = 0; if (!setjmp(b)) printf("first\n"); else printf("again\n"); if (k++ == 0) longjmp(b, 5); if (setjmp(b) != 3) { printf("three?\n"); longjmp(b, 3); } while (setjmp(b) < 4) { printf("w\n"); longjmp(b, 4); } return 0; }
