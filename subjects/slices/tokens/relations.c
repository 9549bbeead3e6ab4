/* The first three relations are published (Xie et al., 2013). */
#include "../token_texts.h"

/* In capital letters, keywords are identifiers; everything else stays what it is. */
RELATION(upper_case) {
    Source source = draw_source(true);
    static Answer first, second;
    Text plain = {0}, upper;
    for (int i = 0; i < source.count; i++) add_line(&plain, &source.lines[i], true);
    upper = plain;
    for (char *p = upper.text; *p; p++)
        if (*p >= 'a' && *p <= 'z') *p -= 'a' - 'A';
    run(&plain, &first);
    run(&upper, &second);
    CHECK_EQ(first.count, second.count);
    for (int i = 0; i < first.count; i++) {
        const char *expected = first.tokens[i];
        /* "=>" is a keyword without letters. */
        if (same_category(expected, "keyword,") && strcmp(expected, "keyword,\"=>\"") != 0) expected = "identifier,";
        CHECK(same_category(expected, second.tokens[i]));
    }
}

/* Comments are no tokens. */
RELATION(delete_comments) {
    Source source = draw_source(true);
    static Answer first, second;
    Text commented = {0}, plain = {0};
    for (int i = 0; i < source.count; i++) {
        add_line(&commented, &source.lines[i], true);
        add_line(&plain, &source.lines[i], false);
    }
    run(&commented, &first);
    run(&plain, &second);
    check_same(&first, &second);
}

/* With some lines made comments, some of the tokens remain, in their order. */
RELATION(insert_comments) {
    Source source = draw_source(false);
    static Answer first, second;
    Text plain = {0}, commented = {0};
    bool chosen[MOST_LINES];
    for (int i = 0; i < source.count; i++) {
        chosen[i] = tw_bool("chosen");
        add_line(&plain, &source.lines[i], true);
        if (chosen[i]) add(&commented, ";");
        add_line(&commented, &source.lines[i], true);
    }
    run(&plain, &first);
    run(&commented, &second);
    int found = 0;
    for (int i = 0; i < first.count && found < second.count; i++)
        if (strcmp(first.tokens[i], second.tokens[found]) == 0) found++;
    CHECK_EQ(found, second.count);
}

/* More blanks where there are some already, and at the ends of lines, change nothing. */
RELATION(more_blanks) {
    Source source = draw_source(true);
    static Answer first, second;
    Text plain = {0}, spaced = {0};
    for (int i = 0; i < source.count; i++) {
        int blanks = tw_i32("blanks", 0, 100);
        add_line(&plain, &source.lines[i], true);
        for (int blank = 0; blank < blanks; blank++) add(&spaced, blank % 7 == 3 ? "\t" : " ");
        add_line(&spaced, &source.lines[i], true);
    }
    run(&plain, &first);
    run(&spaced, &second);
    check_same(&first, &second);
}

/* The tokens of two texts one after the other are those of the first and then those of the second: three runs. */
RELATION(concatenate) {
    Source source = draw_source(true);
    static Answer first, second, both;
    Text before = {0}, behind = {0}, whole = {0};
    int at = tw_i32("at", 0, source.count);
    for (int i = 0; i < source.count; i++) {
        add_line(i < at ? &before : &behind, &source.lines[i], true);
        add_line(&whole, &source.lines[i], true);
    }
    run(&before, &first);
    run(&behind, &second);
    run(&whole, &both);
    CHECK_EQ(first.count - 1 + second.count, both.count);
    for (int i = 0; i < both.count; i++)
        CHECK_TEXT(both.tokens[i], i < first.count - 1 ? first.tokens[i] : second.tokens[i - first.count + 1]);
}

/* A bracket between two tokens takes the place of a blank there, and is one token more. */
RELATION(bracket_for_blank) {
    Source source = draw_source(false);
    static Answer first, second;
    Text plain = {0}, bracketed = {0};
    char extra[40];
    tw_text_between("word", extra, 1, 30, "ab1=%");
    add(&plain, extra);
    add(&plain, " ");
    add(&bracketed, extra);
    add(&bracketed, "(");
    for (int i = 0; i < source.count; i++) {
        add_line(&plain, &source.lines[i], true);
        add_line(&bracketed, &source.lines[i], true);
    }
    run(&plain, &first);
    run(&bracketed, &second);
    CHECK_EQ(first.count + 1, second.count);
    for (int i = 0, shift = 0; i < first.count; i++) {
        if (!shift && strcmp(second.tokens[i], "special,\"(\"") == 0 && strcmp(first.tokens[i], second.tokens[i]) != 0) shift = 1;
        CHECK_TEXT(first.tokens[i], second.tokens[i + shift]);
    }
}

/* Brackets and strings need no blank before them. */
RELATION(blank_before_delimiter) {
    Source source = draw_source(true);
    static Answer first, second;
    Text plain = {0}, spaced = {0};
    for (int i = 0; i < source.count; i++) {
        add_line(&plain, &source.lines[i], true);
        add(&spaced, source.lines[i].spaced);
        add(&spaced, source.lines[i].comment);
        add(&spaced, "\n");
    }
    run(&plain, &first);
    run(&spaced, &second);
    check_same(&first, &second);
}
