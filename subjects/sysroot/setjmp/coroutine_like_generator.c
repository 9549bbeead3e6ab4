#include <setjmp.h>
#include <stdio.h>
static jmp_buf out; static int state;
static void generate(void) { switch (state++) { case 0: longjmp(out, 3); case 1: longjmp(out, 1); case 2: longjmp(out, 4); default: longjmp(out, 99); } }
int main(void) { for (;;) { int v = setjmp(out); if (v == 0) { generate(); } else if (v == 99) break; else printf("%d\n", v); } printf("done\n"); return 0; }
