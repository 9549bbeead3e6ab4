static int f_df(int x) { int *p = malloc(8); int *q = malloc(8); free(p); if (x == 2) free(p); free(q); return 0; }
RELATION(double_free) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_df(x)), RUN(f_df(0))); }
