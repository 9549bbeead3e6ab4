/* The first three relations are published (Xie et al., 2013). An expression is drawn as a list of parts and written in two ways. */
#include <stdio.h>
#include <string.h>

#include <twinrun.h>

enum { MOST_PARTS = 5, MOST_LINES = 5, MOST_LINE = 7, ROOM = 512 };

/* ---- Texts ---- */

typedef struct {
    int length;
    char text[ROOM];
} Text;

static void add(Text *text, const char *more) {
    while (*more && text->length < ROOM - 1) text->text[text->length++] = *more++;
    text->text[text->length] = 0;
}

static void add_char(Text *text, char c) {
    char one[] = {c, 0};
    add(text, one);
}

/* ---- Expressions ---- */

/* Classes in the published ways: as they are, taken apart completely, and split in two. */
static const char *const classes[][3] = {
    {"[a-d]", "(a|b|c|d)", "([ab]|[c-d])"},
    {"[abc]", "(a|b|c)", "([a]|[bc])"},
    {"[A-C]", "(A|B|C)", "([A-B]|[C])"},
    {"[0-2]", "(0|1|2)", "([0]|[1-2])"},
    {"[b-b]", "(b)", "([b]|[b])"},
    {"[a_B]", "(a|_|B)", "([a_]|[B])"},
    {"[-a]", "(-|a)", "([-]|[a])"},
    {"[a-]", "(a|-)", "([a]|[-])"},
    {"[]a]", "(]|a)", "([]]|[a])"},
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

static const char letters[] = "abcdAB_0 ";
static const char *const repeats[] = {"", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "{0,2}"};
enum { REPEATS = sizeof repeats / sizeof repeats[0] };

typedef enum { CHARACTER, CLASS, NEGATED, ANY, GROUP, OR, WORD_EDGE, KINDS } Kind;

typedef struct {
    Kind kind;
    char c;
    int class_number;
    int repeat;
} Part;

typedef struct {
    int count;
    Part parts[MOST_PARTS];
    bool at_begin, at_end;
} Expression;

static Expression draw_expression(void) {
    Expression expression = {.count = tw_len("parts", 1, MOST_PARTS)};
    int kinds[MOST_PARTS], numbers[MOST_PARTS], repeat[MOST_PARTS], n = expression.count;
    char c[MOST_PARTS + 1];
    tw_i32s("kind", kinds, n, 0, KINDS + 2); /* more than the kinds: characters and classes are frequent */
    tw_text_between("character", c, n, n, letters);
    tw_i32s("class", numbers, n, 0, CLASSES - 1);
    tw_i32s("repeat", repeat, n, 0, REPEATS - 1);
    for (int i = 0; i < n; i++) {
        Kind kind = kinds[i] < KINDS ? (Kind)kinds[i] : kinds[i] == KINDS ? CHARACTER : CLASS;
        expression.parts[i] = (Part){kind, c[i], numbers[i], repeat[i]};
    }
    expression.at_begin = tw_i32("at_begin", 0, 4) == 0;
    expression.at_end = tw_i32("at_end", 0, 4) == 0;
    return expression;
}

typedef enum { PLAIN, APART, SPLIT, BRACKETED, GROUPED, WRITTEN_OUT } Style;

static void write_atom(const Part *part, Style style, Text *text) {
    switch (part->kind) {
    case CHARACTER:
        if (style == BRACKETED) add(text, "[");
        add_char(text, part->c);
        if (style == BRACKETED) add(text, "]");
        break;
    case CLASS:
        add(text, classes[part->class_number][style == APART ? 1 : style == SPLIT ? 2 : 0]);
        break;
    case NEGATED:
        add(text, "[^");
        add_char(text, part->c);
        add(text, "]");
        break;
    case ANY:
        add(text, ".");
        break;
    case GROUP:
        add(text, "(");
        if (style == BRACKETED) add(text, "[");
        add_char(text, part->c);
        if (style == BRACKETED) add(text, "]");
        add(text, "|ab)");
        break;
    default: break;
    }
}

/* x{2} is xx, x+ is xx*, x? is (x|) … */
static void write_repeated(const Part *part, Text *text) {
    const char *repeat = repeats[part->repeat];
    Text atom = {0};
    write_atom(part, PLAIN, &atom);
    const char *x = atom.text;
    if (strcmp(repeat, "+") == 0) add(text, x), add(text, x), add(text, "*");
    else if (strcmp(repeat, "?") == 0) add(text, "("), add(text, x), add(text, "|)");
    else if (strcmp(repeat, "{2}") == 0) add(text, x), add(text, x);
    else if (strcmp(repeat, "{1,2}") == 0) add(text, x), add(text, x), add(text, "?");
    else if (strcmp(repeat, "{2,}") == 0) add(text, x), add(text, x), add(text, "+");
    else if (strcmp(repeat, "{0,2}") == 0) add(text, "(|"), add(text, x), add(text, "|"), add(text, x), add(text, x), add(text, ")");
    else add(text, x), add(text, repeat);
}

static Text write(const Expression *expression, Style style) {
    Text text = {0};
    if (expression->at_begin) add(&text, "^");
    for (int i = 0; i < expression->count; i++) {
        const Part *part = &expression->parts[i];
        /* An alternative needs something on both sides, for a * there would stand for itself. */
        if (part->kind == OR) add(&text, i > 0 && i + 1 < expression->count ? "|" : "");
        else if (part->kind == WORD_EDGE) add(&text, part->repeat % 2 ? "\\b" : "\\B");
        else if (style == WRITTEN_OUT) write_repeated(part, &text);
        else {
            if (style == GROUPED) add(&text, "(");
            write_atom(part, style, &text);
            if (style == GROUPED) add(&text, ")");
            add(&text, repeats[part->repeat]);
        }
    }
    if (expression->at_end) add(&text, "$");
    return text;
}

/* ---- Lines and runs ---- */

typedef struct {
    int count;
    char lines[MOST_LINES][MOST_LINE + 1];
} Lines;

static Lines draw_lines(void) {
    Lines lines = {.count = tw_len("lines", 1, MOST_LINES)};
    for (int i = 0; i < lines.count; i++) tw_text("line", lines.lines[i], MOST_LINE, "abcdABC012_- ]");
    return lines;
}

static Text join(const Lines *lines) {
    Text text = {0};
    for (int i = 0; i < lines->count; i++) {
        add(&text, lines->lines[i]);
        add(&text, "\n");
    }
    return text;
}

typedef struct {
    int exit_code;
    int count; /* of the lines */
    char out[ROOM];
} Answer;

static Answer run(const char *options, const char *pattern, const char *in) {
    tw_arg arguments[] = {TW_STR(options), TW_STR("-e"), TW_STR(pattern)};
    Answer answer = {0};
    GIVEN_TEXT("options", options);
    GIVEN_TEXT("pattern", pattern);
    GIVEN_TEXT("in", in);
    answer.exit_code = tw_run_program(arguments, 3, in, (int)strlen(in), answer.out, sizeof answer.out);
    OUTPUT("exit", answer.exit_code);
    OUTPUT_TEXT("out", answer.out);
    for (const char *p = answer.out; *p; p++) answer.count += *p == '\n';
    return answer;
}

static const char *draw_options(void) {
    static const char *const options[] = {"-E", "-n", "-v", "-i", "-x", "-w", "-c", "-o", "-nb", "-A1", "-B1", "-C1", "-m2"};
    return options[tw_choice("options", sizeof options / sizeof options[0])];
}

static void check_same(const Answer *a, const Answer *b) {
    CHECK_LT(a->exit_code, 2);
    CHECK_EQ(a->exit_code, b->exit_code);
    CHECK_TEXT(a->out, b->out);
}

static void check_styles(Style one, Style other) {
    Expression expression = draw_expression();
    const char *options = draw_options();
    Lines lines = draw_lines();
    Text first = write(&expression, one), second = write(&expression, other), in = join(&lines);
    Answer source = run(options, first.text, in.text);
    Answer follow_up = run(options, second.text, in.text);
    check_same(&source, &follow_up);
}

/* ---- Relations ---- */

/* MR 1: a class is the alternative of its members. */
RELATION(take_classes_apart) { check_styles(PLAIN, APART); }

/* MR 2: a class is the alternative of two classes. */
RELATION(split_classes) { check_styles(PLAIN, SPLIT); }

/* MR 3: a character is a class of this one character. */
RELATION(bracket_characters) { check_styles(PLAIN, BRACKETED); }

/* Parentheses around a part change nothing. */
RELATION(group_parts) { check_styles(PLAIN, GROUPED); }

/* Repetitions may be written out. */
RELATION(write_repeats_out) { check_styles(PLAIN, WRITTEN_OUT); }

/* A line matches or does not: -v shows the others. */
RELATION(others) {
    Expression expression = draw_expression();
    Lines lines = draw_lines();
    Text pattern = write(&expression, PLAIN), in = join(&lines);
    bool words = tw_bool("words");
    Answer source = run(words ? "-w" : "-E", pattern.text, in.text);
    Answer follow_up = run(words ? "-vw" : "-v", pattern.text, in.text);
    CHECK_EQ(source.count + follow_up.count, lines.count);
    Answer counted = run(words ? "-cw" : "-c", pattern.text, in.text);
    char count[16];
    snprintf(count, sizeof count, "%d\n", source.count);
    CHECK_TEXT(counted.out, count);
}

/* Whole lines are found with anchors, too. */
RELATION(anchor) {
    Expression expression = draw_expression();
    Lines lines = draw_lines();
    Text pattern = write(&expression, PLAIN), anchored = {0}, in = join(&lines);
    add(&anchored, "^(");
    add(&anchored, pattern.text);
    add(&anchored, ")$");
    Answer source = run("-x", pattern.text, in.text);
    Answer follow_up = run("-E", anchored.text, in.text);
    check_same(&source, &follow_up);
}

/* With case ignored, the case of pattern and text does not matter: the same line numbers. */
RELATION(ignore_case) {
    Expression expression = draw_expression();
    Lines lines = draw_lines();
    Text pattern = write(&expression, PLAIN), in = join(&lines), upper = in;
    for (char *p = upper.text; *p; p++)
        if (*p >= 'a' && *p <= 'z') *p -= 'a' - 'A';
    Answer source = run("-in", pattern.text, in.text);
    Answer follow_up = run("-in", pattern.text, upper.text);
    CHECK_EQ(source.exit_code, follow_up.exit_code);
    CHECK_EQ(source.count, follow_up.count);
    for (char *p = source.out; *p; p++)
        if (*p >= 'a' && *p <= 'z') *p -= 'a' - 'A';
    CHECK_TEXT(source.out, follow_up.out);
}

/* Either of two patterns: as many lines as one and the other, less those of both (grep again in the first answer). */
RELATION(either) {
    Expression first = draw_expression(), second = draw_expression();
    Lines lines = draw_lines();
    Text one = write(&first, PLAIN), other = write(&second, PLAIN), both = {0}, in = join(&lines);
    add(&both, one.text);
    add(&both, "|");
    add(&both, other.text);
    Answer with_one = run("-E", one.text, in.text);
    Answer with_other = run("-E", other.text, in.text);
    Answer with_both = run("-E", other.text, with_one.out);
    Answer with_either = run("-E", both.text, in.text);
    CHECK_EQ(with_one.count + with_other.count - with_both.count, with_either.count);
}

/* Lines in reverse order: as many match. */
RELATION(reverse_lines) {
    Expression expression = draw_expression();
    Lines lines = draw_lines(), reversed = {.count = lines.count};
    for (int i = 0; i < lines.count; i++) strcpy(reversed.lines[i], lines.lines[lines.count - 1 - i]);
    Text pattern = write(&expression, PLAIN), in = join(&lines), turned = join(&reversed);
    bool words = tw_bool("words");
    Answer source = run(words ? "-w" : "-E", pattern.text, in.text);
    Answer follow_up = run(words ? "-w" : "-E", pattern.text, turned.text);
    CHECK_EQ(source.exit_code, follow_up.exit_code);
    CHECK_EQ(source.count, follow_up.count);
    CHECK_EQ(strlen(source.out), strlen(follow_up.out));
}

/* ---- Patterns, files, context ---- */

static Answer run_with(const tw_arg *arguments, int count, const char *in) {
    Answer answer = {0};
    GIVEN_TEXT("in", in);
    answer.exit_code = tw_run_program(arguments, count, in, (int)strlen(in), answer.out, sizeof answer.out);
    OUTPUT("exit", answer.exit_code);
    OUTPUT_TEXT("out", answer.out);
    return answer;
}

static Text group(const Text *pattern, const char *suffix) {
    Text grouped = {0};
    add(&grouped, "(");
    add(&grouped, pattern->text);
    add(&grouped, ")");
    add(&grouped, suffix);
    return grouped;
}

/* Two patterns are their alternative. */
RELATION(several_patterns) {
    Expression first = draw_expression(), second = draw_expression();
    const char *options = draw_options();
    Lines lines = draw_lines();
    Text one = write(&first, PLAIN), other = write(&second, PLAIN), in = join(&lines);
    Text both = group(&one, "|"), behind = group(&other, "");
    add(&both, behind.text);
    tw_arg arguments[] = {TW_STR(options), TW_STR("-e"), TW_STR(one.text), TW_STR("-e"), TW_STR(other.text)};
    Answer source = run(options, both.text, in.text);
    Answer follow_up = run_with(arguments, 5, in.text);
    check_same(&source, &follow_up);
}

/* The lines of an answer without those between groups. */
static Text without_separators(const char *out) {
    Text text = {0};
    for (const char *line = out; *line;) {
        const char *end = strchr(line, '\n');
        int length = end ? (int)(end - line) + 1 : (int)strlen(line);
        if (!(length == 3 && line[0] == '-' && line[1] == '-'))
            for (int i = 0; i < length; i++) add_char(&text, line[i]);
        line += length;
    }
    return text;
}

/* Two files give what each of them gives. */
RELATION(several_files) {
    static const char *const options[] = {"-h", "-hn", "-hv", "-hc", "-ho", "-hA1", "-hB2", "-hm1", "-hb"};
    Expression expression = draw_expression();
    const char *option = options[tw_choice("options", sizeof options / sizeof options[0])];
    Lines lines = draw_lines(), further = draw_lines();
    Text pattern = write(&expression, PLAIN), in = join(&lines), second_in = join(&further);
    tw_arg arguments[] = {TW_STR(option), TW_STR("-e"), TW_STR(pattern.text), TW_STR("one"), TW_STR("two")};
    Answer one = run(option, pattern.text, in.text);
    Answer two = run(option, pattern.text, second_in.text);
    tw_program_file("one", in.text, in.length);
    tw_program_file("two", second_in.text, second_in.length);
    Answer both = run_with(arguments, 5, "");
    /* A line of two dashes may be text, too; it is then left out everywhere. */
    Text expected = without_separators(one.out), behind = without_separators(two.out), found = without_separators(both.out);
    add(&expected, behind.text);
    CHECK_TEXT(expected.text, found.text);
    CHECK_EQ(both.exit_code, one.exit_code < two.exit_code ? one.exit_code : two.exit_code);
}

/* What stands before a match stands behind it when the lines are turned round. */
RELATION(context_of_both_sides) {
    Expression expression = draw_expression();
    Lines lines = draw_lines(), reversed = {.count = lines.count};
    for (int i = 0; i < lines.count; i++) strcpy(reversed.lines[i], lines.lines[lines.count - 1 - i]);
    Text pattern = write(&expression, PLAIN), in = join(&lines), turned = join(&reversed);
    bool two = tw_bool("two");
    Answer source = run(two ? "-B2" : "-B1", pattern.text, in.text);
    Answer follow_up = run(two ? "-A2" : "-A1", pattern.text, turned.text);
    Text before = without_separators(source.out), behind = without_separators(follow_up.out), again = {0};
    /* Its lines from the last to the first. */
    for (int end = behind.length; end > 0;) {
        int begin = end - 1;
        while (begin > 0 && behind.text[begin - 1] != '\n') begin--;
        for (int i = begin; i < end; i++) add_char(&again, behind.text[i]);
        end = begin;
    }
    CHECK_TEXT(before.text, again.text);
}

/* The last line may lack its newline. */
RELATION(unfinished_line) {
    Expression expression = draw_expression();
    const char *options = draw_options();
    Lines lines = draw_lines();
    ASSUME(lines.lines[lines.count - 1][0] != 0);
    Text pattern = write(&expression, PLAIN), in = join(&lines);
    Answer source = run(options, pattern.text, in.text);
    in.text[in.length - 1] = 0;
    Answer follow_up = run(options, pattern.text, in.text);
    check_same(&source, &follow_up);
}

/* Matches that may be empty: the others are the same ones. */
RELATION(optional_matches) {
    Expression expression = draw_expression();
    Lines lines = draw_lines();
    Text pattern = write(&expression, PLAIN), in = join(&lines), optional = group(&pattern, "?");
    bool offsets = tw_bool("offsets");
    Answer source = run(offsets ? "-ob" : "-on", pattern.text, in.text);
    Answer follow_up = run(offsets ? "-ob" : "-on", optional.text, in.text);
    CHECK_TEXT(source.out, follow_up.out);
}
