/* Was proved: the number `a[0]` and the first element of the array `a` were one. */
static int same_element(int p, int s) { return p == s ? 1 : p + s == 9 ? 2 : 1; }
RELATION(name_element) {
    int a[2];
    tw_i32s("a", a, 2, 0, 9);
    int s = tw_i32("a[0]", 0, 9);
    CHECK_EQ(RUN(same_element(a[0], s)), RUN(same_element(s, s)));
}
