static int f_air(int x) { if (x == 4) abort(); return 0; }
RELATION(abort_in_run) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_air(x)), RUN(f_air(0))); }
