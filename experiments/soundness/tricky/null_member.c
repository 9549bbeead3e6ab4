typedef struct { int a, b; } s_nm;
static int f_nm(int x) { s_nm s = {1, 2}; s_nm *p = x == 3 ? 0 : &s; return &p->b != 0; }
RELATION(null_member) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_nm(x)), RUN(f_nm(0))); }
