static int f_tad(const char *t) { return t[0] == 'c' && t[1] != 'a'; }
RELATION(text_alphabet_by_draw) { int k = tw_choice("k", 2); char t[4]; if (k) tw_text("t", t, 3, "cab"); else tw_text("t", t, 2, "xcz");
  CHECK_EQ(RUN(f_tad(t)), RUN(f_tad("")) ); }
