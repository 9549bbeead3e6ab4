static int f_pb(int x) { int a[4] = {0}; int *p = a - x; return p[x] == 0; }
RELATION(pointer_before) { int x = tw_i32("x", 0, 3); CHECK_EQ(RUN(f_pb(x)), RUN(f_pb(0))); }
