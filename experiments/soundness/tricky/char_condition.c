static int f_cc(const char *t) { int r = 0; while (*t) r = r * 2 + (*t++ == '\''); return r == 5; }
RELATION(char_condition) { char t[5]; tw_text_between("t", t, 1, 4, "'`a\\"); CHECK_EQ(RUN(f_cc(t)), RUN(f_cc(""))); }
