static int f_snu(const char *t) { char b[3]; strncpy(b, t, 3); return strlen(b) < 99; }
RELATION(strncpy_unterminated) { char t[5]; tw_text("t", t, 4, "ab"); CHECK_EQ(RUN(f_snu(t)), RUN(f_snu("a"))); }
