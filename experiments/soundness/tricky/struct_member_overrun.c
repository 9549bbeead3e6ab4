typedef struct { int a[2]; int b; } s_smo;
static int f_smo(int x) { s_smo s = {{1, 2}, 3}; return s.a[x] > 0; }
RELATION(struct_member_overrun) { int x = tw_i32("x", 0, 2); CHECK_EQ(RUN(f_smo(x)), RUN(f_smo(0))); }
