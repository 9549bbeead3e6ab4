/* Was printed without the wrap-around. */
static int f_short(int16_t a, int16_t b) { return (int16_t)(a + b) < 0; }
RELATION(wraps_short) {
    int16_t a = (int16_t)tw_i32("a", 32740, 32767), b = (int16_t)tw_i32("b", -20, 40);
    CHECK_EQ(RUN(f_short(a, b)), 0);
}
