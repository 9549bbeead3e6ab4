typedef struct { int8_t a; int64_t b; float c; } s_sbv; static s_sbv f_sbv(s_sbv s) { s.a++; s.b -= s.a; s.c *= 2; return s; }
RELATION(struct_by_value) { s_sbv s = {(int8_t)tw_i32("a", 120, 127), tw_i64("b", -3, 3), 0.5f}; s_sbv t = RUN(f_sbv(s)); s_sbv u = RUN(f_sbv(t)); CHECK_LE(u.b, t.b - t.a); CHECK_EQ(u.c, 2.0f); }
