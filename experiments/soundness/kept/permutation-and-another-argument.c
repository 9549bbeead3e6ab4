/* Was proved: the argument beside the permuted array is another one in the second run. */
static int pick_argument(const int *a, int n, int k) { return k ? a[0] + a[n - 1] : a[0] + a[1]; }
RELATION(permutation_argument) {
    int a[3], b[3], p[3];
    tw_i32s("a", a, 3, 0, 5);
    tw_permutation("p", p, 3);
    TW_PERMUTE(b, a, p, 3);
    CHECK_EQ(RUN(pick_argument(a, 3, 1)), RUN(pick_argument(b, 3, 0)));
}
