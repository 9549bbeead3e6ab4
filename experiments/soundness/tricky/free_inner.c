static int f_fi(int x) { char *p = malloc(16); free(p + (x == 3 ? 8 : 0)); return 0; }
RELATION(free_inner) { int x = tw_i32("x", 0, 9); CHECK_EQ(RUN(f_fi(x)), RUN(f_fi(0))); }
