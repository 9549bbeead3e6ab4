#include <setjmp.h>
#include <stdio.h>
struct parser { const char *at; jmp_buf fail; int depth; };
static int sum(struct parser *p);
static int item(struct parser *p) { if (*p->at == '(') { p->at++; if (++p->depth > 3) longjmp(p->fail, 2); int v = sum(p); if (*p->at++ != ')') longjmp(p->fail, 1); p->depth--; return v; } if (*p->at < '0' || *p->at > '9') longjmp(p->fail, 3); return *p->at++ - '0'; }
static int sum(struct parser *p) { int v = item(p); while (*p->at == '+') { p->at++; v += item(p); } return v; }
static void parse(const char *text) { struct parser p; p.at = text; p.depth = 0; int r = setjmp(p.fail); if (r) printf("%s: error %d at %d\n", text, r, (int)(p.at - text)); else { int v = sum(&p); printf("%s = %d\n", text, v); } }
int main(void) { parse("1+2"); parse("(1+2)+(3+(4))"); parse("1+"); parse("(1+2"); parse("((((1))))"); return 0; }
