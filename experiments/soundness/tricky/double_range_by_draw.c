static int f_drd(int k, double z) { return k ? z > 0x1.0000000000002p+0 : z < 0x1p-1; }
RELATION(double_range_by_draw) { int k = tw_choice("k", 2); double z = k ? tw_f64("z", 0x1.0000000000000p+0, 0x1.0000000000005p+0) : tw_f64("z", 0x1.ffffffffffff8p-2, 0x1.0000000000003p-1);
  CHECK_EQ(RUN(f_drd(k, z)), RUN(f_drd(1, 0.0))); }
