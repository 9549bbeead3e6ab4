/* Was proved: what the first run left decides in the second. */
static int calls_state = 0;
static int sum_state(const int *a, int n) { calls_state++; int r = 0; for (int i = 0; i < n; i++) r += a[i]; if (calls_state > 1 && a[0] == 3 && a[1] == 0) r++; return r; }
RELATION(permutation_state) {
    int a[3], b[3], p[3];
    tw_i32s("a", a, 3, 0, 3);
    tw_permutation("p", p, 3);
    TW_PERMUTE(b, a, p, 3);
    CHECK_EQ(RUN(sum_state(a, 3)), RUN(sum_state(b, 3)));
}
#ifndef __wasm__
static void reset_state(void) { calls_state = 0; }
__attribute__((constructor)) static void resets_state(void) { tw__register_reset("permutation_state", reset_state); }
#endif
