static int g_fs[4]; static int f_fs(int x) { int *p = malloc(8); int *q = x == 3 ? g_fs : p; free(q); return 0; }
RELATION(free_static) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_fs(x)), RUN(f_fs(0))); }
