static int f_al(int x) { return x / 3; }
RELATION(assume_late) { int x = tw_i32("x", -9, 9); int a = RUN(f_al(x)); ASSUME(a != 1); int b = RUN(f_al(x + 1)); CHECK_LE(b - a, a == 0 && x == 2 ? 0 : 1); }
