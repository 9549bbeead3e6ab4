static int f_ncr(int x) { return x * 2; }
RELATION(no_check_reached) { int x = tw_i32("x", 0, 9); int a = RUN(f_ncr(x)); if (x > 20) CHECK_LE(a, 16); }
