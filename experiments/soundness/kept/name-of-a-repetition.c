/* Was proved, 1 of 2,197 cases fails: the second `x` and `x#2` were one. */
static int f_repetition(int p, int q, int s) { return p + q + s; }
static int g_repetition(int p, int q, int s) { int r = p + q + s; if (p == 12 && q == 0 && s == 11) r++; return r; }
RELATION(name_repetition) {
    int p = tw_i32("x", 0, 12), q = tw_i32("x", 0, 12), s = tw_i32("x#2", 0, 12);
    CHECK_EQ(RUN(f_repetition(p, q, s)), RUN(g_repetition(p, q, s)));
}
