static int cmp_qu(const void *a, const void *b) { return *(const int *)a % 10 - *(const int *)b % 10; }
static int f_qu(const int *a) { int b[4]; memcpy(b, a, sizeof b); qsort(b, 4, sizeof *b, cmp_qu); return b[0] % 10 <= b[1] % 10 && b[1] % 10 <= b[2] % 10 && b[2] % 10 <= b[3] % 10; }
RELATION(qsort_unstable) { int a[4]; tw_i32s("a", a, 4, 8, 13); CHECK_EQ(RUN(f_qu(a)), RUN(f_qu(a))); }
