static int f_scs(const char *t) { char b[4]; strcpy(b, t); return (int)strlen(b) >= 0; }
RELATION(strcpy_small) { char t[5]; tw_text("t", t, 4, "ab"); CHECK_EQ(RUN(f_scs(t)), RUN(f_scs("a"))); }
