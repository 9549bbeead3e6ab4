static int f_drd2(int k, double z) { return z > 0x1.0000000000002p+0 ? k + 1 : 0; }
RELATION(double_range_by_draw2) { int k = tw_choice("k", 3); double z = k == 0 ? tw_f64("z", 1.0, 0x1.0000000000005p+0) : k == 1 ? tw_f64("z", 1.0, 0x1.0000000000009p+0) : tw_f64("z", 1.0, 0x1.0000000000002p+0);
  CHECK_EQ(RUN(f_drd2(k, z)), RUN(f_drd2(1, 0.0))); }
