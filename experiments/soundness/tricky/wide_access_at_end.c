static int g_wae[3] = {1, 2, 3};
static int f_wae(int x) { int64_t v; memcpy(&v, g_wae + x, 8); return (int)v > 0; }
RELATION(wide_access_at_end) { int x = tw_i32("x", 0, 2); CHECK_EQ(RUN(f_wae(x)), RUN(f_wae(0))); }
