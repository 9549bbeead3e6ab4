typedef union { int32_t w; int16_t h[2]; } u_uu;
static int f_uu(int x) { u_uu u; u.h[0] = (int16_t)x; if (x != 3) u.h[1] = 0; return u.w == x; }
RELATION(uninit_union) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_uu(x)), RUN(f_uu(1))); }
