#include <setjmp.h>
#include <stdio.h>
struct call { struct call *previous; jmp_buf b; volatile int status; }; struct state { struct call *error; int stack[32]; int top; };
typedef void (*body)(struct state *, void *);
static void throw_(struct state *l, int code) { if (l->error) { l->error->status = code; longjmp(l->error->b, 1); } printf("panic\n"); }
static int protect(struct state *l, body f, void *ud) { int top = l->top; struct call c; c.status = 0; c.previous = l->error; l->error = &c; if (setjmp(c.b) == 0) f(l, ud); l->error = c.previous; if (c.status) l->top = top; return c.status; }
static void push(struct state *l, int v) { if (l->top == 32) throw_(l, 3); l->stack[l->top++] = v; }
static void fill(struct state *l, void *n) { for (int i = 0; i < *(int *)n; i++) push(l, i); }
static void twice(struct state *l, void *n) { int inner = protect(l, fill, n); push(l, 100 + inner); if (inner) throw_(l, 4); }
int main(void) { struct state l = {0}; int few = 5, many = 50; printf("%d %d\n", protect(&l, fill, &few), l.top); printf("%d %d\n", protect(&l, fill, &many), l.top); printf("%d %d\n", protect(&l, twice, &few), l.top); printf("%d %d\n", protect(&l, twice, &many), l.top); return 0; }
