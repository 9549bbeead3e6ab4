static int f_itf(int a) { return (int)(float)a == a; }
RELATION(int_to_float_rounding) { int a = tw_i32("a", 16777210, 16777230); CHECK_EQ(RUN(f_itf(a)), RUN(f_itf(1))); }
