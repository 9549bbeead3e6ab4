static int f_fbr(int x) { int *p = malloc(8), *q = p; p[0] = x; p = realloc(p, 4000); int r = x == 6 ? q[0] * 0 : 0; free(p); return r; }
RELATION(freed_by_realloc) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_fbr(x)), RUN(f_fbr(0))); }
