#include <stdarg.h>
static int f_va(int n, ...) { va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s; }
RELATION(varargs) { int x = tw_i32("x", -5, 5), y = tw_i32("y", -5, 5); CHECK_EQ(RUN(f_va(2, x, y)), RUN(f_va(3, y, x, x == 4 && y == -4 ? 1 : 0))); }
