static int f_cosp(int x) { return x * 2; }
RELATION(check_on_some_paths) { int x = tw_i32("x", 0, 9); int a = RUN(f_cosp(x)); if (x > 4) CHECK_LE(a, 16); if (x == 20) CHECK(0); }
