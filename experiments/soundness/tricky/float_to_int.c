static int f_fti(double a) { return (int)a; }
RELATION(float_to_int) { double a = tw_f64("a", 0x1.fffffffffffffp+30, 0x1.0000000000003p+31); CHECK_LE(RUN(f_fti(a)), RUN(f_fti(2147483647.0))); }
