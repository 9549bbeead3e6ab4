static int f_stw(int a, int s) { return s < 0 ? 0 : (int)((uint32_t)a << s) == a && a != 0; }
RELATION(shift_too_wide) { int a = tw_i32("a", -3, 3), s = tw_i32("s", -2, 40); CHECK_EQ(RUN(f_stw(a, s)), RUN(f_stw(0, 0))); }
