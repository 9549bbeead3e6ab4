static int one_nf(int x) { return x; }
static int f_nf(int x) { int (*t[3])(int) = {one_nf, one_nf, 0}; return t[x % 3](x) == x; }
RELATION(null_function) { int x = tw_i32("x", 0, 9); ASSUME(x != 2 && x != 5); CHECK_EQ(RUN(f_nf(x)), RUN(f_nf(0))); }
