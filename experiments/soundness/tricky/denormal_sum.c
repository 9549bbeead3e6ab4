static double f_ds(double a, double b) { return (a + b) - b; }
RELATION(denormal_sum) { double a = tw_f64("a", -0x0.0000000000002p-1022, 0x0.0000000000002p-1022), b = tw_f64("b", 0x1.fffffffffffffp-1022, 0x1.0000000000001p-1021); CHECK_EQ(RUN(f_ds(a, b)), RUN(a)); }
