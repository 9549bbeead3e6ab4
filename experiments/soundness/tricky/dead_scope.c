static int f_dsc(int x) { int *p = 0; int r = 0; { int v = x; p = &v; r = *p; } if (x == 4) r += *p - x; return r - x; }
RELATION(dead_scope) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_dsc(x)), RUN(f_dsc(0))); }
