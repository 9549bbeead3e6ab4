RELATION(abs_min) { int a = tw_i32("a", INT32_MIN, INT32_MIN + 3); int p = RUN(abs(a)), q = RUN(abs(a + 0)); CHECK_EQ(p, q); }
