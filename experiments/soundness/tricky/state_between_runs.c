static int last_sbr = 0; static int f_sbr(int x) { int r = last_sbr == x && x == 7; last_sbr = x; return r; }
RELATION(state_between_runs) { int x = tw_i32("x", 0, 9); int a = RUN(f_sbr(x)); int b = RUN(f_sbr(x)); CHECK_EQ(a, b); }
#ifndef __wasm__
static void reset_sbr(void) { last_sbr = 0; }
__attribute__((constructor)) static void resets_sbr(void) { tw__register_reset("state_between_runs", reset_sbr); }
#endif
