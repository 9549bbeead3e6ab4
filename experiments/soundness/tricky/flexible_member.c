typedef struct { int n; int a[]; } s_fm;
static int f_fm(int n, int k) { s_fm *s = malloc(sizeof(s_fm) + (size_t)n * 4); s->n = n; for (int i = 0; i < n; i++) s->a[i] = i; int r = k < s->n ? s->a[k] == k : 1; if (n == 3 && k == 3) r += s->a[k] & 0; free(s); return r; }
RELATION(flexible_member) { int n = tw_i32("n", 0, 4), k = tw_i32("k", 0, 5); CHECK_EQ(RUN(f_fm(n, k)), RUN(f_fm(0, 0))); }
