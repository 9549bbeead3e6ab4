/* Was proved: the relation looks at the permutation itself. */
static int sum_branch(const int *a, int n) { int r = 0; for (int i = 0; i < n; i++) r += a[i]; return r; }
RELATION(permutation_branch) {
    int a[3], b[3], p[3];
    tw_i32s("a", a, 3, 0, 5);
    tw_permutation("p", p, 3);
    TW_PERMUTE(b, a, p, 3);
    int s = RUN(sum_branch(a, 3)), q = RUN(sum_branch(b, 3));
    if (p[0] == 2 && p[1] == 0 && a[0] == 5) q++;
    CHECK_EQ(s, q);
}
