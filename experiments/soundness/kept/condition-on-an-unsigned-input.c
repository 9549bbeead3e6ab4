/* Was printed as `b == -1`. */
static int f_all(uint32_t b) { return b == 4294967295u; }
RELATION(unsigned_input) {
    uint32_t b = tw_u32("b", 4294967290u, 4294967295u);
    CHECK_EQ(RUN(f_all(b)), 0);
}
