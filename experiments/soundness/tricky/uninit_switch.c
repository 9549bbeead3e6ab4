static int f_us(int x) { int k; if (x > 2) k = x; switch (x > 2 ? k : 1) { case 1: return 1; case 5: return 2; } return 3; }
RELATION(uninit_switch) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_us(x)), RUN(f_us(x))); }
