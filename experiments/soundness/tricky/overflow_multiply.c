static int f_om(int a, int b) { return a * b; }
RELATION(overflow_multiply) { int a = tw_i32("a", 46338, 46343), b = tw_i32("b", 46338, 46343); CHECK_EQ(RUN(f_om(a, b)), RUN(f_om(b, a))); }
