typedef struct { unsigned a : 3, b : 5, c : 9; } s_ub;
static int f_ub(int x) { s_ub s; s.a = (unsigned)x; s.c = 7; if (x != 5) s.b = 2; s_ub t = s; return t.c == 7 && (t.b & 1) == 0; }
RELATION(uninit_bitfield) { int x = tw_i32("x", 0, 7); CHECK_EQ(RUN(f_ub(x)), RUN(f_ub(1))); }
