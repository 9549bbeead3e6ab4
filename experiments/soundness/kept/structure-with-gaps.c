/* No fault: gaps are copied, never used. */
typedef struct { int8_t c; int32_t a; } gap_kept;
static int f_gap(int x) { gap_kept p, q; p.c = (int8_t)x; p.a = x * 2; memcpy(&q, &p, sizeof q); gap_kept *h = malloc(sizeof *h); *h = q; int r = h->a - h->c; free(h); return r; }
RELATION(gaps) {
    int x = tw_i32("x", -100, 100);
    CHECK_EQ(RUN(f_gap(x)), RUN(f_gap(x)));
}
