static int f_rbd(int x, int y) { return y == x ? 1 : 0; }
RELATION(range_by_draw) { int x = tw_i32("x", 0, 9); int y = tw_i32("y", 0, x); CHECK_EQ(RUN(f_rbd(x, y)), RUN(f_rbd(0, 1))); }
