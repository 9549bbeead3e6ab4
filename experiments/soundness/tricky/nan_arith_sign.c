static int f_nas(double a) { double z = a - a; double n = z / z; return __builtin_signbit(-n) + 2 * __builtin_signbit(n); }
RELATION(nan_arith_sign) { double a = tw_f64("a", 0x1p+0, 0x1.0000000000003p+0); CHECK_EQ(RUN(f_nas(a)), RUN(f_nas(2.0))); }
