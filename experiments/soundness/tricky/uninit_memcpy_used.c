static int f_umu(int x) { int a[3], b[3]; a[0] = x; a[1] = 2; memcpy(b, a, sizeof b); int c[3]; memcpy(c, b, sizeof c); return x == 7 ? c[2] * 0 + c[0] : c[0]; }
RELATION(uninit_memcpy_used) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_umu(x)), RUN(f_umu(x))); }
