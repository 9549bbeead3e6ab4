static int f_cp(uint32_t a) { return a && __builtin_clz(a) + __builtin_popcount(a) == 30 + __builtin_ctz(a); }
RELATION(clz_popcnt) { uint32_t a = tw_u32("a", 0, 300); CHECK_EQ(RUN(f_cp(a)), RUN(f_cp(0))); }
