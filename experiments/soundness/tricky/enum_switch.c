typedef enum { A_es, B_es, C_es } e_es; static int f_es(e_es e) { switch (e) { case A_es: return 1; case B_es: return 2; case C_es: return 3; } return 0; }
RELATION(enum_switch) { int x = tw_i32("x", -1, 3); CHECK_LE(RUN(f_es((e_es)x)), RUN(f_es(C_es))); CHECK_NE(x == 3, RUN(f_es((e_es)x)) != 0); }
