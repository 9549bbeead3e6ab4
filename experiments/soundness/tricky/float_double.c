static int f_fd(double a) { return (double)(float)a == a; }
RELATION(float_double) { double a = tw_f64("a", 0x1.fffffep+0, 0x1.fffffe0000005p+0); CHECK_EQ(RUN(f_fd(a)), RUN(f_fd(0.1))); }
