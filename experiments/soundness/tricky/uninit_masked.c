static int f_um(int x) { unsigned v; unsigned char *c = (unsigned char *)&v; c[0] = (unsigned char)x; c[1] = 1; return (v & 0xffffu) == 256u + (unsigned)x; }
RELATION(uninit_masked) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_um(x)), RUN(f_um(1))); }
