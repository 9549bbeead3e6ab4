#include <string.h>

#include <twinrun.h>

#include "regex.h"

enum { ATOMS = 4, MOST_TEXT = 8, ROOM = 64 };

static int run(const char *pattern, const char *text) {
    GIVEN_TEXT("pattern", pattern);
    GIVEN_TEXT("text", text);
    int at = RUN(regex_search(pattern, text));
    OUTPUT("at", at);
    return at;
}

static char *append(char *to, const char *text) {
    while (*text) *to++ = *text++;
    *to = 0;
    return to;
}

/* A character alone and a class of this one character match the same. */
RELATION(bracket) {
    char plain[ROOM], bracketed[ROOM], text[MOST_TEXT + 1], atoms[ATOMS + 1];
    int n = tw_text_between("atoms", atoms, 1, ATOMS, "abc");
    int repeat[ATOMS];
    tw_i32s("repeat", repeat, n, 0, 3);
    tw_text("text", text, MOST_TEXT, "abc");
    char *p = plain, *q = bracketed;
    for (int i = 0; i < n; i++) {
        const char *suffix = repeat[i] == 1 ? "*" : repeat[i] == 2 ? "+" : repeat[i] == 3 ? "?" : "";
        char one[] = {atoms[i], 0};
        p = append(append(p, one), suffix);
        q = append(append(append(append(q, "["), one), "]"), suffix);
    }
    int source = run(plain, text);
    int follow_up = run(bracketed, text);
    CHECK_EQ(source, follow_up);
}

/* The members of a class may come in any order. */
RELATION(permute_class) {
    char forward[ROOM], backward[ROOM], text[MOST_TEXT + 1], members[5];
    int n = tw_text_between("members", members, 1, 4, "abcd");
    bool negated = tw_bool("negated");
    tw_text("text", text, MOST_TEXT, "abcd");
    char *p = append(forward, negated ? "a[^" : "a["), *q = append(backward, negated ? "a[^" : "a[");
    p = append(p, members);
    TW_REVERSE(members, n);
    q = append(q, members);
    append(p, "]");
    append(q, "]");
    int source = run(forward, text);
    int follow_up = run(backward, text);
    CHECK_EQ(source, follow_up);
}

/* x+ is xx*. */
RELATION(plus_is_one_and_star) {
    char plus[ROOM], star[ROOM], text[MOST_TEXT + 1], before[3], atom[2], after[3];
    tw_text("before", before, 2, "abc");
    tw_text_between("atom", atom, 1, 1, "abc.");
    tw_text("after", after, 2, "abc$");
    ASSUME(!strchr(after, '$') || strchr(after, '$')[1] == 0);
    tw_text("text", text, MOST_TEXT, "abc");
    append(append(append(append(plus, before), atom), "+"), after);
    append(append(append(append(append(star, before), atom), atom), "*"), after);
    int source = run(plus, text);
    int follow_up = run(star, text);
    CHECK_EQ(source, follow_up);
}

/* More text at the end of the text keeps a match without `$` where it is. */
RELATION(longer_text) {
    char pattern[5], text[2 * MOST_TEXT + 1];
    tw_text_between("pattern", pattern, 1, 4, "abc.");
    int n = tw_text("text", text, MOST_TEXT, "abc");
    int source = run(pattern, text);
    tw_text("more", text + n, MOST_TEXT, "abc");
    int follow_up = run(pattern, text);
    if (source >= 0) CHECK_EQ(source, follow_up);
    else CHECK(follow_up < 0 || follow_up + (int)strlen(pattern) > n);
}
