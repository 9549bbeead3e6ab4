static int f_ul(int n) { int a[4]; for (int i = 1; i < n; i++) a[i] = i; int s = 0; for (int i = n == 3 ? 0 : 1; i < n; i++) s += a[i] > 9; return s; }
RELATION(uninit_loop) { int n = tw_i32("n", 0, 4); CHECK_EQ(RUN(f_ul(n)), RUN(f_ul(0))); }
