static int f_sas(int i, int j) { uint8_t c[8] = {0}; *(uint16_t *)(void *)(c + 2 * i) = 0x1234; *(uint32_t *)(void *)(c + 4 * j) += 0x01010101u; return c[2] == 0x35 && c[3] == 0x13; }
RELATION(symbolic_alias_store) { int i = tw_i32("i", 0, 3), j = tw_i32("j", 0, 1); CHECK_EQ(RUN(f_sas(i, j)), RUN(f_sas(3, 1))); }
