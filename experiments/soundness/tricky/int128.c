static int f_128(int64_t a, int64_t b) { return (int64_t)(((__int128)a * b) >> 64) == -1; }
RELATION(int128) { int64_t a = tw_i64("a", -9223372036854775807ll, -9223372036854775797ll), b = tw_i64("b", -3, 12); CHECK_EQ(RUN(f_128(a, b)), RUN(f_128(0, 0))); }
