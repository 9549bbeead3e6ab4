/* Was "safety: proved". */
static int f_freed(int x) { int *p = malloc(8); p[0] = x; free(p); return x == 17 ? p[0] * 0 + x : x; }
RELATION(freed) {
    int x = tw_i32("x", 0, 50);
    CHECK_EQ(RUN(f_freed(x)), RUN(f_freed(x)));
}
