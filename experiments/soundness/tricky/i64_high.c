static int f_ih(int64_t a, int64_t b) { return (int32_t)((a * b) >> 32) > 3; }
RELATION(i64_high) { int64_t a = tw_i64("a", 4294967290ll, 4294967300ll), b = tw_i64("b", -8, 8); CHECK_EQ(RUN(f_ih(a, b)), RUN(f_ih(0, 0))); }
