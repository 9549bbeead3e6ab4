#include <setjmp.h>
#include <stdio.h>
static jmp_buf b;
static void fail(int k) { longjmp(b, k); }
int main(void) { volatile int k = 0; switch (setjmp(b)) { case 0: printf("start\n"); fail(1); case 1: printf("one\n"); k = 2; fail(2); case 2: printf("two %d\n", k); fail(9); default: printf("rest\n"); } return 0; }
