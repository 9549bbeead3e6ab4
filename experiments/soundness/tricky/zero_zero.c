static int f_zz(double z) { return __builtin_signbit(z) ? 1 : 0; }
RELATION(zero_zero) { double z = tw_f64("z", 0.0, 0.0); CHECK_EQ(RUN(f_zz(z)), RUN(f_zz(1.0))); }
