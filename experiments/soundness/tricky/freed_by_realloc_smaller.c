static int f_frs(int x) { int *p = malloc(16); p[3] = x; p = realloc(p, 4); p[0] = x; int r = x == 6 ? p[3] * 0 : 0; free(p); return r; }
RELATION(freed_by_realloc_smaller) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_frs(x)), RUN(f_frs(0))); }
