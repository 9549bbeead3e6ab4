static int f_lp(const int *a, int n, const int *b, int m) { int r = 0; for (int i = 0; i < n && i < m; i++) if (a[i] > b[i]) r++; return r == 2; }
RELATION(len_pairs) { int n = tw_len("n", 0, 3), m = tw_len("m", 0, 2); int a[3], b[3]; tw_i32s("a", a, n, 0, 3); tw_i32s("a", b, m, 0, 2); CHECK_EQ(RUN(f_lp(a, n, b, m)), RUN(f_lp(a, 0, b, 0))); }
