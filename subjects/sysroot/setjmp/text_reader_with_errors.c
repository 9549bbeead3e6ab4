#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf bad; static char why[64];
static void fail(const char *text, char c) { snprintf(why, sizeof why, "%s '%c'", text, c); longjmp(bad, 1); }
static int hex(const char *s) { int v = 0; for (; *s; s++) { if (*s >= '0' && *s <= '9') v = v * 16 + *s - '0'; else if (*s >= 'a' && *s <= 'f') v = v * 16 + *s - 'a' + 10; else fail("no digit", *s); } return v; }
int main(void) { const char *in[] = {"ff", "1g", "7", "zz"}; for (volatile int i = 0; i < 4; i++) { if (setjmp(bad)) printf("%s: %s\n", in[i], why); else printf("%s: %d\n", in[i], hex(in[i])); } return 0; }
