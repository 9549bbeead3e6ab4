static int f_cir(int x) { CHECK(x != 6); return x; }
RELATION(check_inside_run) { int x = tw_i32("x", 0, 9); int a = RUN(f_cir(x)); CHECK_EQ(a, RUN(f_cir(x ? 1 : 1)) + x - 1); }
