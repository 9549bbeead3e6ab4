/* The four kinds of relations of the semi-proving study (Chen, Tse, Zhou, 2011). Characters of patterns, replacements and texts are
 * inputs; which form a pattern has is a choice. */
#include "patterns.h"

/* MR 1: in a text of a's and b's, the pattern a matches what [^b] matches; the same for a range that has a and not b; either may
 * stand at the end of the line. */
RELATION(complement) {
    Buffer pattern = {0}, complement = {0}, text = {0};
    char replacement[2], a[2], b[2];
    tw_text_between("a", a, 1, 1, characters);
    tw_text_between("b", b, 1, 1, characters);
    ASSUME(a[0] != b[0]);
    bool range = tw_bool("range"), at_end = tw_bool("at_end");
    int order = tw_choice("order", 4);
    draw_replacement(replacement);
    if (range) {
        /* Of letters or digits; b is none of them. */
        bool digits = a[0] == '0' || a[0] == '9';
        ASSUME(digits || a[0] == 'a' || a[0] == 'b');
        ASSUME(!(digits ? b[0] == '0' || b[0] == '9' : b[0] == 'a' || b[0] == 'b'));
        add(&pattern, digits ? "[0-9]" : "[a-b]");
    } else add_literal(&pattern, a[0], !at_end);
    add_class(&complement, true, b, 1);
    if (at_end) {
        add(&pattern, "$");
        add(&complement, "$");
    }
    static const char *const orders[] = {"ab", "ba", "aab", "bab"};
    for (const char *p = orders[order]; *p; p++) add_char(&text, *p == 'a' ? a[0] : b[0]);
    draw_newline(&text);
    Answer source = run(pattern.text, replacement, text.text);
    Answer follow_up = run(complement.text, replacement, text.text);
    check_same(&source, &follow_up);
}

/* MR 2: the pattern c matches what [c] matches, c* what [c]* matches, and ?* what [^]* matches. */
RELATION(bracket) {
    Buffer plain = {0}, bracketed = {0}, text = {0};
    char replacement[2], c[3], t[4];
    int n = tw_text_between("c", c, 1, 2, characters);
    tw_text_between("text", t, 1, 3, characters);
    bool any = tw_bool("any"), repeated = tw_bool("repeated"), at_begin = tw_bool("at_begin"), at_end = tw_bool("at_end");
    draw_replacement(replacement);
    if (at_begin) {
        add(&plain, "%");
        add(&bracketed, "%");
    }
    if (any) {
        add(&plain, "?");
        add(&bracketed, "[^]");
    } else {
        for (int i = 0; i < n; i++) {
            add_literal(&plain, c[i], i == n - 1 && !repeated && !at_end);
            add_class(&bracketed, false, c + i, 1);
        }
    }
    if (repeated) {
        add(&plain, "*");
        add(&bracketed, "*");
    }
    if (at_end) {
        add(&plain, "$");
        add(&bracketed, "$");
    }
    add(&text, t);
    draw_newline(&text);
    Answer source = run(plain.text, replacement, text.text);
    Answer follow_up = run(bracketed.text, replacement, text.text);
    check_same(&source, &follow_up);
}

/* MR 3, first half: ?* matches the whole line, as the line itself does when it is the pattern, and each may be tied to the ends of
 * the line. */
RELATION(whole_line) {
    Buffer wild = {0}, literal = {0}, text = {0};
    char replacement[3], t[4];
    int n = tw_text_between("text", t, 0, 3, characters);
    tw_text_between("replacement", replacement, 1, 2, "x&@nt");
    bool wild_begin = tw_bool("wild_begin"), wild_end = tw_bool("wild_end");
    bool literal_begin = tw_bool("literal_begin"), literal_end = tw_bool("literal_end");
    ASSUME(n > 0 || literal_begin || literal_end);
    add(&wild, wild_begin ? "%?*" : "?*");
    if (wild_end) add(&wild, "$");
    if (literal_begin) add(&literal, "%");
    for (int i = 0; i < n; i++) add_literal(&literal, t[i], i == n - 1 && !literal_end);
    if (literal_end) add(&literal, "$");
    add(&text, t);
    if (n == 0) add(&text, "\n");
    else draw_newline(&text);
    Answer source = run(wild.text, replacement, text.text);
    Answer follow_up = run(literal.text, replacement, text.text);
    check_same(&source, &follow_up);
}

/* MR 3, second half: different replacements give different lines. */
RELATION(different_replacements) {
    /* What they stand for differs, also from any text of x, y and z. */
    static const char *const replacements[] = {"", "a", "b", "@n", "@t", "n", "t", "@@", "@&", "&", "&&", "aa", "@a@n", "a&"};
    enum { COUNT = sizeof replacements / sizeof replacements[0] };
    Buffer text = {0};
    char t[3];
    tw_text_between("text", t, 1, 2, "xyz");
    int first = tw_i32("first", 0, COUNT - 2);
    int second = tw_i32("second", first + 1, COUNT - 1);
    add(&text, t);
    draw_newline(&text);
    Answer source = run("?*", replacements[first], text.text);
    Answer follow_up = run("?*", replacements[second], text.text);
    CHECK_EQ(source.exit_code, 0);
    CHECK_EQ(follow_up.exit_code, 0);
    CHECK(strcmp(source.out, follow_up.out) != 0);
}

/* MR 4: the members of a class may come in any order. */
RELATION(permute_class) {
    Buffer forward = {0}, backward = {0}, text = {0};
    char replacement[2], members[5], t[4];
    int n = tw_text_between("members", members, 1, 4, characters);
    tw_text_between("text", t, 1, 3, characters);
    bool negated = tw_bool("negated"), repeated = tw_bool("repeated");
    draw_replacement(replacement);
    add_class(&forward, negated, members, n);
    TW_REVERSE(members, n);
    add_class(&backward, negated, members, n);
    if (repeated) {
        add(&forward, "*");
        add(&backward, "*");
    }
    add(&text, t);
    draw_newline(&text);
    Answer source = run(forward.text, replacement, text.text);
    Answer follow_up = run(backward.text, replacement, text.text);
    check_same(&source, &follow_up);
}

/* MR 4: a range may be written out; a dash that makes no range is a member. */
RELATION(expand_class) {
    static const char *const pairs[][2] = {
        {"2-5", "2345"}, {"7-9", "789"}, {"a-d", "dcba"}, {"x-z", "xyz"}, {"a-bc-d", "abcd"}, {"5-5", "5"},
        {"Y-b", "YZ@[\\@]@^_`ab"}, {"-b", "b@-"}, {"b-", "-b"}, {"d-a", "-ad"}, {"+-a", "-+a"}, {"a-+", "-+a"},
        {"5-=", "-=5"}, {"@^a-c", "ab@^c"}, {"@n@t", "@t@n"},
    };
    enum { COUNT = sizeof pairs / sizeof pairs[0] };
    Buffer condensed = {0}, expanded = {0}, text = {0};
    char replacement[2], t[4];
    int pair = tw_choice("pair", COUNT);
    tw_text_between("text", t, 1, 3, "123456789abcdxyz-+=YZ^_\t");
    bool negated = tw_bool("negated"), repeated = tw_bool("repeated"), at_end = tw_bool("at_end");
    draw_replacement(replacement);
    add(&condensed, negated ? "[^" : "[");
    add(&expanded, negated ? "[^" : "[");
    add(&condensed, pairs[pair][0]);
    add(&expanded, pairs[pair][1]);
    add(&condensed, repeated ? "]*" : "]");
    add(&expanded, repeated ? "]*" : "]");
    if (at_end) {
        add(&condensed, "$");
        add(&expanded, "$");
    }
    add(&text, t);
    draw_newline(&text);
    Answer source = run(condensed.text, replacement, text.text);
    Answer follow_up = run(expanded.text, replacement, text.text);
    check_same(&source, &follow_up);
}
