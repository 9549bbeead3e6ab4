static int f_i8w(int8_t a) { int8_t n = 0; for (int i = 0; i < 3; i++) { a = (int8_t)(a + 100); if (a < 0) n++; } return n; }
RELATION(int8_wrap) { int8_t a = (int8_t)tw_i32("a", -128, 127); CHECK_LE(RUN(f_i8w(a)), RUN(f_i8w(-100)) + 1); }
