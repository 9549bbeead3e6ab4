static int f_oa(const tw_op *o, int n) { int r = 0; for (int i = 0; i < n; i++) r = o[i].op == 0 ? r + o[i].arg[0] : o[i].op == 1 ? r * 2 - o[i].arg[1] : 0; return r > 5; }
RELATION(ops_args) { tw_op o[3]; int n = tw_ops("o", o, 3, "add 0..3; twice -1..0 0..1; clear"); CHECK_EQ(RUN(f_oa(o, n)), RUN(f_oa(o, 0))); }
