/* Was proved, with "safety: proved": the variable has no value where x is 17. */
static int f_unset(int x) { int v; if (x != 17) v = 4; return v == 4 ? x : x + 1; }
RELATION(unset) {
    int x = tw_i32("x", 0, 50);
    CHECK_EQ(RUN(f_unset(x)), RUN(f_unset(x)));
}
