static int f_cz(uint32_t a) { return __builtin_clz(a); }
RELATION(clz_of_zero) { uint32_t a = tw_u32("a", 0, 5); CHECK_LE(RUN(f_cz(a)), RUN(f_cz(1)) + 1); }
