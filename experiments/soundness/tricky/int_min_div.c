static int f_imd(int a, int b) { return b ? a / b : 0; }
RELATION(int_min_div) { int a = tw_i32("a", INT32_MIN, INT32_MIN + 3), b = tw_i32("b", -2, 2); CHECK_EQ(RUN(f_imd(a, b)), RUN(f_imd(a, b))); }
