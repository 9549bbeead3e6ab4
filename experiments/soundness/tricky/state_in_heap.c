static int *box_sih = 0; static int f_sih(int x) { if (!box_sih) { box_sih = malloc(4); *box_sih = 0; } *box_sih += x; return *box_sih > 12; }
RELATION(state_in_heap) { int x = tw_i32("x", 0, 9); int a = RUN(f_sih(x)); int b = RUN(f_sih(x)); CHECK_EQ(a, b); }
#ifndef __wasm__
static void reset_sih(void) { free(box_sih); box_sih = 0; }
__attribute__((constructor)) static void resets_sih(void) { tw__register_reset("state_in_heap", reset_sih); }
#endif
