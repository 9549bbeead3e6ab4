/* Was printed as `a mod 256 < 0`, which is never true. */
static int f_byte(int a) { return (int8_t)a < 0; }
RELATION(signed_byte) {
    int a = tw_i32("a", -300, 300);
    CHECK_EQ(RUN(f_byte(a)), RUN(f_byte(0)));
}
