static int f_imr(int a, int b) { return b ? a % b : 0; }
RELATION(int_min_rem) { int a = tw_i32("a", INT32_MIN, INT32_MIN + 3), b = tw_i32("b", -2, 2); CHECK_LE(RUN(f_imr(a, b)), RUN(f_imr(1, 2))); }
