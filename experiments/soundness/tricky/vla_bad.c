static int f_vb(int n) { int v[n]; v[0] = 1; return v[0]; }
RELATION(vla_bad) { int n = tw_i32("n", 0, 3); CHECK_EQ(RUN(f_vb(n)), RUN(f_vb(1))); }
