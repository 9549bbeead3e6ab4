static int f_pii(int x) { int a = 1, b = 2; uintptr_t p = (uintptr_t)(x == 3 ? &a : &b); p ^= 0x55; p ^= 0x55; return *(int *)p; }
RELATION(pointer_in_int) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_pii(x)), RUN(f_pii(0))); }
