/* Was proved: the number `len(t)` and the length of the text `t` were one. */
static int same_length(int p, int s) { return p == s ? 1 : 2; }
RELATION(name_length) {
    char t[4];
    int n = tw_text("t", t, 3, "ab");
    int s = tw_i32("len(t)", 0, 3);
    CHECK_EQ(RUN(same_length(n, s)), RUN(same_length(n, n)));
}
