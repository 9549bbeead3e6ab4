/* Was proved: bits that pass through a double. */
static uint64_t through_nan(uint64_t w) { double x; memcpy(&x, &w, 8); double y = x; memcpy(&w, &y, 8); return w; }
RELATION(nan_payload) {
    uint64_t w = 0x7ff8000000000000 + tw_u32("w", 0, 300);
    CHECK_EQ(RUN(through_nan(w)), RUN(through_nan(0x7ff8000000000000)));
}
