#include <twinrun.h>

#ifndef TL
#define TL 3
#endif

typedef unsigned char uc;
int match(const uc *p, const uc *t);

static void compare(const uc *p1, const uc *p2, const uc *t) {
    int source = RUN(match(p1, t));
    OUTPUT("position", source);
    int follow_up = RUN(match(p2, t));
    OUTPUT("position", follow_up);
    CHECK_EQ(source, follow_up);
}

/* MR 1: in a text x y y …, x matches as [^y] does. */
RELATION(complement) {
    uc t[TL + 1], x = tw_u8("x", 'a', 'z'), y = tw_u8("y", 'a', 'z');
    ASSUME(x != y);
    t[0] = x;
    for (int i = 1; i < TL; i++) t[i] = y;
    t[TL] = 0;
    uc p1[] = {x, 0}, p2[] = {'[', '^', y, ']', 0};
    compare(p1, p2, t);
}

/* MR 2: c*d matches as [c]*[d] does. */
RELATION(bracket) {
    uc t[TL + 1];
    tw_text_between("t", (char *)t, TL, TL, "abcdefghijklmnopqrstuvwxyz");
    uc c = tw_u8("c", 'a', 'z'), d = tw_u8("d", 'a', 'z');
    uc p1[] = {c, '*', d, 0}, p2[] = {'[', c, ']', '*', '[', d, ']', 0};
    compare(p1, p2, t);
}
