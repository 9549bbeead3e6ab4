static int f_dms(int a, int b) { return b == 0 ? 0 : a / b == -2 && a % b != 0; }
RELATION(divmod_signs) { int a = tw_i32("a", -40, 40), b = tw_i32("b", -9, 9); CHECK_EQ(RUN(f_dms(a, b)), RUN(f_dms(0, 1))); }
