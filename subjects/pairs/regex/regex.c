/* A small matcher: characters, `?` for any, `*`, `[…]`, `[^…]`. -DFAULTY: the scan of a class forgets its last member. */
typedef unsigned char uc;
static int one(const uc *p, int *len, uc c) { /* does the atom at p match c; *len: how long it is */
    if (p[0] == '[') {
        int i = 1, neg = 0, hit = 0;
        if (p[1] == '^') { neg = 1; i = 2; }
        int e = i; while (p[e] != ']') e++;
#ifdef FAULTY
        for (; i + 1 < e; i++) if (p[i] == c) { hit = 1; break; }
#else
        for (; i < e; i++) if (p[i] == c) { hit = 1; break; }
#endif
        *len = e + 1;
        return c != 0 && hit != neg;
    }
    *len = 1;
    if (p[0] == '?') return c != 0;
    return p[0] == c && c != 0;
}
static int here(const uc *p, const uc *t) {
    if (p[0] == 0) return 1;
    int len, m = one(p, &len, t[0]);
    if (p[len] == '*') {
        const uc *q = t; int l2;
        do { if (here(p + len + 1, q)) return 1; } while (one(p, &l2, *q++));
        return 0;
    }
    return m ? here(p + len, t + 1) : 0;
}
int match(const uc *p, const uc *t) {
    int pos = 0;
    do { if (here(p, t)) return pos; pos++; } while (*t++);
    return -1;
}
