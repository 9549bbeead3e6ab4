static int f_isn(int8_t a) { return (a << 3) >> 3 == a; }
RELATION(i8_shift_neg) { int8_t a = (int8_t)tw_i32("a", -4, 4); CHECK_EQ(RUN(f_isn(a)), RUN(f_isn(1))); }
