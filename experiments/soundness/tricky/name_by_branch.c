static int f_nbb(int p, int q) { return p == 4 && q == 3 ? 1 : 0; }
RELATION(name_by_branch) { int k = tw_choice("k", 3); int p, q = 0;
  if (k == 0) { p = tw_i32("y", 0, 5); q = tw_i32("y", 2, 4); } else if (k == 1) { q = tw_i32("z", 0, 3); p = tw_i32("y", 3, 8); q = tw_i32("y", 0, 3); } else { p = tw_i32("y", -300, 300); }
  CHECK_EQ(RUN(f_nbb(p, q)), RUN(f_nbb(0, 0))); }
