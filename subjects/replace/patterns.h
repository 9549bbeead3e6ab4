/* What relations of the replacer share: patterns put together, runs and their answers. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include <string.h>

#include <twinrun.h>

enum { ROOM = 128 };

/* Characters with and without a meaning in patterns. */
__attribute__((unused)) static const char characters[] = "abnt09-^]@$%?*[&";

typedef struct {
    int length;
    char text[ROOM];
} Buffer;

static inline void add(Buffer *buffer, const char *text) {
    while (*text) buffer->text[buffer->length++] = *text++;
    buffer->text[buffer->length] = 0;
}

static inline void add_char(Buffer *buffer, char c) {
    buffer->text[buffer->length++] = c;
    buffer->text[buffer->length] = 0;
}

/* A character that stands for itself in a pattern; it is escaped only where it has another meaning. */
static inline void add_literal(Buffer *pattern, char c, bool is_last) {
    bool is_first = pattern->length == 0;
    bool special = c == '?' || c == '[' || (c == '@' && !is_last) || (c == '%' && is_first) || (c == '$' && is_last) || (c == '*' && !is_first);
    if (special) add_char(pattern, '@');
    add_char(pattern, c);
}

/* A class of these members, each escaped only where it has another meaning. */
static inline void add_class(Buffer *pattern, bool negated, const char *members, int n) {
    add(pattern, negated ? "[^" : "[");
    for (int i = 0; i < n; i++) {
        char c = members[i];
        bool special = c == ']' || c == '@' || (c == '^' && i == 0 && !negated) || (c == '-' && i > 0 && i < n - 1);
        if (special) add_char(pattern, '@');
        add_char(pattern, c);
    }
    add(pattern, "]");
}

typedef struct {
    int exit_code;
    char out[ROOM];
} Answer;

static inline Answer run(const char *pattern, const char *replacement, const char *text) {
    tw_arg arguments[] = {TW_STR(pattern), TW_STR(replacement)};
    Answer answer;
    GIVEN_TEXT("pattern", pattern);
    GIVEN_TEXT("replacement", replacement);
    GIVEN_TEXT("text", text);
    answer.exit_code = tw_run_program(arguments, 2, text, (int)strlen(text), answer.out, sizeof answer.out);
    OUTPUT("exit", answer.exit_code);
    OUTPUT_TEXT("out", answer.out);
    return answer;
}

static inline void check_same(const Answer *a, const Answer *b) {
    CHECK_EQ(a->exit_code, 0);
    CHECK_EQ(b->exit_code, 0);
    CHECK_TEXT(a->out, b->out);
}

/* A replacement of one character, which may be special. */
static inline void draw_replacement(char *replacement) { tw_text_between("replacement", replacement, 1, 1, "x&@"); }

static inline void draw_newline(Buffer *text) {
    if (tw_bool("newline")) add(text, "\n");
}

#endif
