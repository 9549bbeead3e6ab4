static int f_sm(int n, int v) { uint8_t c[8] = {1, 2, 3, 4, 5, 6, 7, 8}; memset(c + 2, v, (size_t)n); uint32_t w; memcpy(&w, c + 1, 4); return w == 0x09090902u; }
RELATION(symbolic_memset) { int n = tw_i32("n", 0, 6), v = tw_i32("v", 0, 12); CHECK_EQ(RUN(f_sm(n, v)), RUN(f_sm(0, 0))); }
