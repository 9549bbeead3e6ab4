static int f_ucs(int32_t a, uint32_t b) { return a < b; }
RELATION(unsigned_compare_signed) { int32_t a = tw_i32("a", -20, 20); uint32_t b = tw_u32("b", 0, 30); CHECK_EQ(RUN(f_ucs(a, b)), RUN(f_ucs(0, 1))); }
