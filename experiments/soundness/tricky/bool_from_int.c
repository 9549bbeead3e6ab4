static int f_bfi(int a) { bool b = a & 6; return b + (bool)(a >> 1) * 2; }
RELATION(bool_from_int) { int a = tw_i32("a", -10, 10); CHECK_NE(RUN(f_bfi(a)), RUN(f_bfi(2)) - 2); }
