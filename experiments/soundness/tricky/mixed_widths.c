static int f_mw(int8_t a, uint16_t b, int64_t c) { return (int8_t)(a + b) < (int16_t)(c * 3) && (uint8_t)(a * b) > 200; }
RELATION(mixed_widths) { int8_t a = (int8_t)tw_i32("a", -5, 6); uint16_t b = (uint16_t)tw_u32("b", 65530, 65535); int64_t c = tw_i64("c", -4000000010ll, -3999999990ll); CHECK_EQ(RUN(f_mw(a, b, c)), RUN(f_mw(0, 0, 0))); }
