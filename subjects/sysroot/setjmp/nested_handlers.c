#include <setjmp.h>
#include <stdio.h>
struct frame { struct frame *up; jmp_buf b; }; static struct frame *top;
static void raise_(int e) { struct frame *f = top; top = f->up; longjmp(f->b, e); }
static int inner(int e) { struct frame f; f.up = top; top = &f; int r = setjmp(f.b); if (r == 0) { raise_(e); } printf("inner %d\n", r); if (r > 5) raise_(r * 10); return r; }
int main(void) { for (volatile int i = 4; i < 8; i++) { struct frame f; f.up = top; top = &f; int r = setjmp(f.b); if (r == 0) { printf("ok %d\n", inner(i)); top = f.up; } else printf("outer %d\n", r); } return 0; }
