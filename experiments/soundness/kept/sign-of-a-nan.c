/* Was proved: every NaN had the same bits in terms; the engines keep sign and payload. */
static double sign_nan(double x) { return __builtin_copysign(1.0, x); }
static double of_bits_nan(uint64_t w) { double x; memcpy(&x, &w, 8); return x; }
RELATION(nan_sign) {
    int i = tw_choice("i", 4);
    static const uint64_t table[4] = {0x7ff8000000000000, 0xfff8000000000000, 0x3ff0000000000000, 0x8000000000000000};
    double x = of_bits_nan(table[i]);
    CHECK_EQ(RUN(sign_nan(x)), RUN(sign_nan(x != x ? 1.0 : x)));
}
