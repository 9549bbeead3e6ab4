RELATION(draw_in_loop) { int s = 0, n = 0; while (n < 4) { int c = tw_choice("c", 3); s += c; n++; if (c == 2) break; } int a = RUN(s), b = RUN(n); CHECK_LE(a, b + (n == 4 && s == 5 ? 0 : 1)); }
