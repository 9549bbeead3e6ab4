/* What the relations of both tokenisers share: texts drawn from pieces, the answers taken apart. */
#include <stdio.h>
#include <string.h>

#include <twinrun.h>

enum { ROOM = 2048, OUT_ROOM = 4096, MOST_LINES = 4, MOST_PIECES = 6, MOST_TOKENS = 80 };

/* The last ones stay open to the end of the line, so that no comment can follow. */
static const char *const pieces[] = {
    "and", "or", "if", "xor", "lambda", "=>", "(", ")", "[", "]", "'", "`", ",", "x", "ab1", "And", "0", "12", "1a", "=", ">", "%",
    "\"ab c\"", "\"a;b\"", "\"\"", "#a", "#;", " #\"", "if0", "a=", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\"open", "#",
};
enum { PIECES = sizeof pieces / sizeof pieces[0], CLOSED_PIECES = PIECES - 2 };

typedef struct {
    char body[MOST_PIECES * 48];   /* without its newline */
    char spaced[MOST_PIECES * 48]; /* the same with a blank before every bracket and string */
    char comment[12];            /* with its semicolon; empty if there is none */
} Line;

typedef struct {
    int count;
    Line lines[MOST_LINES];
} Source;

static inline Source draw_source(bool with_comments) {
    Source source = {0};
    source.count = tw_len("lines", 1, MOST_LINES);
    for (int i = 0; i < source.count; i++) {
        Line *line = &source.lines[i];
        int n = tw_len("pieces", 0, MOST_PIECES), piece[MOST_PIECES], gap[MOST_PIECES];
        tw_i32s("piece", piece, n, 0, (with_comments ? CLOSED_PIECES : PIECES) - 1);
        tw_i32s("gap", gap, n, 0, 2);
        for (int j = 0; j < n; j++) {
            const char *blank = gap[j] == 0 ? "" : gap[j] == 1 ? " " : "\t";
            strcat(line->body, pieces[piece[j]]);
            strcat(line->body, blank);
            if (strchr("()[]'`,\"", pieces[piece[j]][0])) strcat(line->spaced, " ");
            strcat(line->spaced, pieces[piece[j]]);
            strcat(line->spaced, blank);
        }
        if (with_comments && tw_bool("comment")) {
            line->comment[0] = ';';
            tw_text("comment_text", line->comment + 1, 8, "a1 ;\"#(");
        }
    }
    return source;
}

typedef struct {
    int length;
    char text[ROOM];
} Text;

static inline void add(Text *text, const char *more) {
    while (*more && text->length < ROOM - 1) text->text[text->length++] = *more++;
    text->text[text->length] = 0;
}

static inline void add_line(Text *text, const Line *line, bool with_comment) {
    add(text, line->body);
    if (with_comment) add(text, line->comment);
    add(text, "\n");
}

typedef struct {
    int count; /* of the tokens, with eof */
    char *tokens[MOST_TOKENS];
    char out[OUT_ROOM];
} Answer;

static inline void run(const Text *text, Answer *answer) {
    GIVEN_BYTES("text", text->text, text->length);
    int exit_code = tw_run_program(NULL, 0, text->text, text->length, answer->out, OUT_ROOM);
    OUTPUT_TEXT("out", answer->out);
    CHECK_EQ(exit_code, 0);
    answer->count = 0;
    for (char *p = answer->out; *p && answer->count < MOST_TOKENS;) {
        answer->tokens[answer->count++] = p;
        p = strchr(p, '\n');
        if (!p) break;
        *p++ = 0;
    }
}

/* Are these tokens the same up to the comma: of the same category? */
static inline bool same_category(const char *a, const char *b) {
    size_t n = strcspn(a, ",");
    return n == strcspn(b, ",") && strncmp(a, b, n) == 0;
}

static inline void check_same(const Answer *a, const Answer *b) {
    CHECK_EQ(a->count, b->count);
    for (int i = 0; i < a->count; i++) CHECK_TEXT(a->tokens[i], b->tokens[i]);
}
