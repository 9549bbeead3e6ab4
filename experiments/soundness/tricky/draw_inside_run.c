static int f_dir(int x) { return x + tw_i32("y", 0, 3); }
RELATION(draw_inside_run) { int x = tw_i32("x", 0, 9); int a = RUN(f_dir(x)); int b = RUN(f_dir(x)); CHECK_LE(a - b, x == 9 ? 2 : 3); }
