typedef struct { int8_t c; int32_t a; } s_ucb;
static s_ucb f_ucb(int x) { s_ucb s; s.c = 1; s.a = x; return s; }
RELATION(uninit_checked_bytes) { int x = tw_i32("x", 0, 3); s_ucb p = RUN(f_ucb(x)), q = RUN(f_ucb(x)); CHECK_BYTES(&p, (int)sizeof p, &q, (int)sizeof q); }
