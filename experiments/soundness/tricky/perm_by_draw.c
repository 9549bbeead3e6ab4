static int f_pbd(const int *p, int n) { return p[0] == 2 && p[n - 1] == 0; }
RELATION(perm_by_draw) { int n = tw_len("n", 2, 4); int p[4], id[4] = {0, 1, 2, 3}; tw_permutation("p", p, n); CHECK_EQ(RUN(f_pbd(p, n)), RUN(f_pbd(id, n))); }
