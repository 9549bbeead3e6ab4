static int one_wft(int x) { return x; } static int two_wft(int x, int y) { return x + y; }
static int f_wft(int x) { int (*t[2])(int) = {one_wft, (int (*)(int))(void (*)(void))two_wft}; return t[x == 5](x) == x; }
RELATION(wrong_function_type) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_wft(x)), RUN(f_wft(0))); }
