static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
RELATION(recursion_ackermann) { int m = tw_i32("m", 0, 2), n = tw_i32("n", 0, 4); int a = RUN(ack(m, n)), b = RUN(ack(m, n + 1)); CHECK_LE(a + 1 + (m == 2 && n == 3 ? 2 : 0), b); }
