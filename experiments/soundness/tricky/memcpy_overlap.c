static int f_mo(int x) { char c[16] = "abcdefghijklmno"; memcpy(c + x, c, 4); return c[0]; }
RELATION(memcpy_overlap) { int x = tw_i32("x", 3, 9); CHECK_EQ(RUN(f_mo(x)), RUN(f_mo(5))); }
