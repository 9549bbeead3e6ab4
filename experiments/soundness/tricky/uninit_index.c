static int f_ui(int x) { static const int T[2] = {4, 4}; int k; if (x != 6) k = x & 1; return T[k & 1]; }
RELATION(uninit_index) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_ui(x)), RUN(f_ui(0))); }
