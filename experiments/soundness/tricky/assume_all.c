static int f_aa(int x) { return x; }
RELATION(assume_all) { int x = tw_i32("x", 0, 9); ASSUME(x * x == 3); CHECK_EQ(RUN(f_aa(x)), RUN(f_aa(x + 1))); }
