/* The first three relations are published (Xie et al., 2013). */
#include "../../replace/patterns.h"

enum { MOST_ATOMS = 3, MOST_LINE = 6, LINES = 3 };

static const char letters[] = "abcd-^$%*";

/* Some lines of text. */
static void draw_text(Buffer *text) {
    int n = tw_len("lines", 1, LINES);
    for (int i = 0; i < n; i++) {
        char line[MOST_LINE + 1];
        tw_text("line", line, MOST_LINE, letters);
        add(text, line);
        if (i + 1 < n || tw_bool("newline")) add(text, "\n");
    }
}

static void draw_replaced(char *replacement) { tw_text("replacement", replacement, 3, "x&@n"); }

/* What may stand around: the ends of the line, a closure behind an atom. */
typedef struct {
    bool at_begin, at_end;
    int atoms;
    int repeated[MOST_ATOMS];
} Frame;

static Frame draw_frame(void) {
    Frame frame = {.at_begin = tw_i32("at_begin", 0, 3) == 0, .at_end = tw_i32("at_end", 0, 3) == 0};
    frame.atoms = tw_len("atoms", 1, MOST_ATOMS);
    tw_i32s("repeated", frame.repeated, frame.atoms, 0, 2);
    return frame;
}

static void begin(const Frame *frame, Buffer *pattern) {
    if (frame->at_begin) add(pattern, "%");
}

static void end_atom(const Frame *frame, Buffer *pattern, int atom) {
    if (frame->repeated[atom] == 0) add(pattern, "*");
    if (atom == frame->atoms - 1 && frame->at_end) add(pattern, "$");
}

static bool is_last(const Frame *frame, int atom) { return atom == frame->atoms - 1 && frame->repeated[atom] != 0 && !frame->at_end; }

/* MR 1: a range may be written out, and the members of a class may be permuted. */
RELATION(extend_and_permute) {
    static const char *const classes[][2] = {
        {"a-c", "cab"}, {"b-d", "bcd"}, {"a-bd", "dba"}, {"ab", "ba"}, {"acd", "dac"}, {"c-c", "c"}, {"a-", "-a"}, {"bc^", "cb@^"}, {"c-a", "ac@-"},
    };
    enum { COUNT = sizeof classes / sizeof classes[0] };
    Buffer condensed = {0}, extended = {0}, text = {0};
    char replacement[4];
    Frame frame = draw_frame();
    begin(&frame, &condensed);
    begin(&frame, &extended);
    for (int i = 0; i < frame.atoms; i++) {
        int which = tw_choice("class", COUNT);
        bool negated = tw_bool("negated");
        Buffer *both[] = {&condensed, &extended};
        for (int side = 0; side < 2; side++) {
            add(both[side], negated ? "[^" : "[");
            add(both[side], classes[which][side]);
            add(both[side], "]");
            end_atom(&frame, both[side], i);
        }
    }
    draw_replaced(replacement);
    draw_text(&text);
    Answer source = run(condensed.text, replacement, text.text);
    Answer follow_up = run(extended.text, replacement, text.text);
    check_same(&source, &follow_up);
}

/* MR 2: a character alone is a class of this one character. */
RELATION(bracket) {
    Buffer plain = {0}, bracketed = {0}, text = {0};
    char replacement[4], c[MOST_ATOMS + 1];
    Frame frame = draw_frame();
    tw_text_between("c", c, frame.atoms, frame.atoms, letters);
    begin(&frame, &plain);
    begin(&frame, &bracketed);
    for (int i = 0; i < frame.atoms; i++) {
        add_literal(&plain, c[i], is_last(&frame, i));
        end_atom(&frame, &plain, i);
        add_class(&bracketed, false, c + i, 1);
        end_atom(&frame, &bracketed, i);
    }
    draw_replaced(replacement);
    draw_text(&text);
    Answer source = run(plain.text, replacement, text.text);
    Answer follow_up = run(bracketed.text, replacement, text.text);
    check_same(&source, &follow_up);
}

/* MR 3: an escaped character is a class of this one character. */
RELATION(bracket_for_escape) {
    Buffer escaped = {0}, bracketed = {0}, text = {0};
    char replacement[4], c[MOST_ATOMS + 1];
    Frame frame = draw_frame();
    tw_text_between("c", c, frame.atoms, frame.atoms, "$%*?[@-^]");
    begin(&frame, &escaped);
    begin(&frame, &bracketed);
    for (int i = 0; i < frame.atoms; i++) {
        add(&escaped, "@");
        add_char(&escaped, c[i]);
        end_atom(&frame, &escaped, i);
        add_class(&bracketed, false, c + i, 1);
        end_atom(&frame, &bracketed, i);
    }
    draw_replaced(replacement);
    draw_text(&text);
    Answer source = run(escaped.text, replacement, text.text);
    Answer follow_up = run(bracketed.text, replacement, text.text);
    check_same(&source, &follow_up);
}

static void draw_pattern(Buffer *pattern) {
    char c[MOST_ATOMS + 1];
    Frame frame = draw_frame();
    tw_text_between("c", c, frame.atoms, frame.atoms, "abc?^-");
    begin(&frame, pattern);
    for (int i = 0; i < frame.atoms; i++) {
        if (tw_bool("class")) add_class(pattern, tw_bool("negated"), c + i, 1);
        else if (c[i] == '?') add(pattern, "?");
        else add_literal(pattern, c[i], is_last(&frame, i));
        end_atom(&frame, pattern, i);
    }
}

/* Lines are replaced one by one: two texts together give the two answers together. Three runs. */
RELATION(concatenate) {
    Buffer pattern = {0}, first = {0}, both = {0};
    char replacement[4], joined[2 * ROOM];
    draw_pattern(&pattern);
    draw_replaced(replacement);
    draw_text(&first);
    if (first.text[0] == 0 || first.text[first.length - 1] != '\n') add(&first, "\n");
    char second[MOST_LINE + 1];
    tw_text("second", second, MOST_LINE, letters);
    add(&both, first.text);
    add(&both, second);
    Answer one = run(pattern.text, replacement, first.text);
    Answer two = run(pattern.text, replacement, second);
    Answer together = run(pattern.text, replacement, both.text);
    CHECK_EQ(one.exit_code, 0);
    strcpy(joined, one.out);
    strcat(joined, two.out);
    CHECK_TEXT(joined, together.out);
}

/* Replaced by itself, the text stays, whatever the pattern. */
RELATION(ditto) {
    Buffer pattern = {0}, other = {0}, text = {0};
    draw_pattern(&pattern);
    draw_pattern(&other);
    draw_text(&text);
    Answer source = run(pattern.text, "&", text.text);
    Answer follow_up = run(other.text, "&", text.text);
    check_same(&source, &follow_up);
    CHECK_TEXT(source.out, text.text);
}

/* Removed, and replaced by a character that is removed afterwards, is the same: the follow-up reads the source's output. */
RELATION(replace_then_remove) {
    Buffer pattern = {0}, text = {0};
    draw_pattern(&pattern);
    draw_text(&text);
    Answer removed = run(pattern.text, "", text.text);
    Answer marked = run(pattern.text, "x", text.text);
    Answer cleaned = run("x", "", marked.out);
    CHECK_TEXT(removed.out, cleaned.out);
}
