#include "lexer.h"

#include <string.h>

#include "util.h"

/* ---- Reading characters ---- */

static bool at_end(const Lexer *lexer) {
    return lexer->position >= lexer->length;
}

static int peek(const Lexer *lexer) {
    if (at_end(lexer))
        return -1;
    return (unsigned char)lexer->pattern[lexer->position];
}

static int peek_after(const Lexer *lexer, int distance) {
    if (lexer->position + distance >= lexer->length)
        return -1;
    return (unsigned char)lexer->pattern[lexer->position + distance];
}

static int take(Lexer *lexer) {
    int c = peek(lexer);
    if (c >= 0)
        lexer->position++;
    return c;
}

static void set_error(Lexer *lexer, const char *message) {
    if (lexer->error == NULL)
        lexer->error = message;
    lexer->position = lexer->length;
    lexer->token.kind = TOKEN_END;
}

void lexer_init(Lexer *lexer, const char *pattern, int length, bool ignore_case) {
    lexer->pattern = pattern;
    lexer->length = length;
    lexer->position = 0;
    lexer->ignore_case = ignore_case;
    lexer->error = NULL;
    lexer->token.kind = TOKEN_END;
}

/* ---- Sets ---- */

static void begin_set(Lexer *lexer, char character) {
    lexer->token.kind = TOKEN_SET;
    lexer->token.character = character;
    charset_clear(&lexer->token.set);
}

static void end_set(Lexer *lexer) {
    if (lexer->ignore_case)
        charset_fold_case(&lexer->token.set);
}

static void make_character(Lexer *lexer, int c) {
    begin_set(lexer, (char)c);
    charset_add(&lexer->token.set, c);
    end_set(lexer);
}

/* Every character but the newline, which ends lines. */
static void make_any(Lexer *lexer) {
    begin_set(lexer, '.');
    charset_fill(&lexer->token.set);
    charset_remove(&lexer->token.set, '\n');
}

static void make_class(Lexer *lexer, const char *name, bool inverted, bool with_underscore) {
    begin_set(lexer, '\0');
    charset_add_class(&lexer->token.set, name, (int)strlen(name));
    if (with_underscore)
        charset_add(&lexer->token.set, '_');
    if (inverted) {
        charset_invert(&lexer->token.set);
        charset_remove(&lexer->token.set, '\n');
    }
}

/* ---- Bracket expressions ---- */

/* [:name:], whose "[:" has been read. */
static bool read_class(Lexer *lexer) {
    int begin = lexer->position;
    while (!at_end(lexer) && !(peek(lexer) == ':' && peek_after(lexer, 1) == ']'))
        lexer->position++;
    if (at_end(lexer)) {
        set_error(lexer, "a bracket is not closed");
        return false;
    }
    if (!charset_add_class(&lexer->token.set, lexer->pattern + begin, lexer->position - begin)) {
        set_error(lexer, "there is no such class of characters");
        return false;
    }
    lexer->position += 2;
    return true;
}

/* [.c.] or [=c=], whose "[." or "[=" has been read: the character, or -1. */
static int read_collating(Lexer *lexer, int delimiter) {
    int c = take(lexer);
    if (c < 0 || peek(lexer) != delimiter || peek_after(lexer, 1) != ']') {
        set_error(lexer, "only single characters collate");
        return -1;
    }
    lexer->position += 2;
    return c;
}

/* The end of a range or a character of its own; -1 after an error. */
static int read_member(Lexer *lexer) {
    int c = take(lexer);
    if (c == '[' && (peek(lexer) == '.' || peek(lexer) == '=')) {
        int delimiter = take(lexer);
        return read_collating(lexer, delimiter);
    }
    return c;
}

/* Does a dash that makes a range stand here? */
static bool is_range(const Lexer *lexer) {
    if (peek(lexer) != '-')
        return false;
    int next = peek_after(lexer, 1);
    return next != ']' && next >= 0;
}

/* Adds a member or a range; false after an error. */
static bool add_members(Lexer *lexer) {
    if (peek(lexer) == '[' && peek_after(lexer, 1) == ':') {
        lexer->position += 2;
        return read_class(lexer);
    }
    int first = read_member(lexer);
    if (first < 0)
        return false;
    if (!is_range(lexer)) {
        charset_add(&lexer->token.set, first);
        return true;
    }
    take(lexer);
    int last = read_member(lexer);
    if (last < 0)
        return false;
    if (first > last) {
        set_error(lexer, "a range ends before it begins");
        return false;
    }
    charset_add_range(&lexer->token.set, first, last);
    return true;
}

/* The rest of a bracket expression, whose "[" has been read. */
static void read_bracket(Lexer *lexer) {
    bool inverted = false;
    bool first = true;
    begin_set(lexer, '\0');
    if (peek(lexer) == '^') {
        inverted = true;
        take(lexer);
    }
    /* A bracket in front is a member. */
    while (first || peek(lexer) != ']') {
        if (at_end(lexer)) {
            set_error(lexer, "a bracket is not closed");
            return;
        }
        if (!add_members(lexer)) {
            set_error(lexer, "a bracket is not closed");
            return;
        }
        first = false;
    }
    take(lexer);
    end_set(lexer);
    if (inverted) {
        charset_invert(&lexer->token.set);
        charset_remove(&lexer->token.set, '\n');
    }
}

/* ---- Repetitions ---- */

static void make_repeat(Lexer *lexer, int c, int least, int most) {
    lexer->token.kind = TOKEN_REPEAT;
    lexer->token.character = (char)c;
    lexer->token.least = least;
    lexer->token.most = most;
}

static bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

/* A number at *position; -1 if there is none. */
static int read_number(const Lexer *lexer, int *position) {
    int number = -1;
    while (*position < lexer->length && is_digit((unsigned char)lexer->pattern[*position])) {
        if (number < 0)
            number = 0;
        if (number <= MOST_REPETITIONS)
            number = 10 * number + (lexer->pattern[*position] - '0');
        (*position)++;
    }
    return number;
}

/* {m}, {m,}, {,n} or {m,n}, whose "{" has been read. Anything else is an ordinary brace. */
static void read_interval(Lexer *lexer) {
    int position = lexer->position;
    int least = read_number(lexer, &position);
    int most = least;
    if (position < lexer->length && lexer->pattern[position] == ',') {
        position++;
        most = read_number(lexer, &position);
        if (most < 0)
            most = WITHOUT_LIMIT;
        if (least < 0)
            least = 0;
        else if (most != WITHOUT_LIMIT && most < least) {
            set_error(lexer, "an interval ends before it begins");
            return;
        }
    }
    if (least < 0 || position >= lexer->length || lexer->pattern[position] != '}') {
        make_character(lexer, '{');
        return;
    }
    if (least > MOST_REPETITIONS || most > MOST_REPETITIONS) {
        set_error(lexer, "an interval is too long");
        return;
    }
    make_repeat(lexer, '{', least, most);
    lexer->position = position + 1;
}

void lexer_take_literally(Lexer *lexer) {
    if (lexer->token.character == '{') {
        /* Only its brace: the rest is read again. */
        while (lexer->position > 0 && lexer->pattern[lexer->position] != '{')
            lexer->position--;
        lexer->position++;
    }
    make_character(lexer, (unsigned char)lexer->token.character);
}

/* ---- Tokens ---- */

static void make_assertion(Lexer *lexer, Assertion assertion) {
    lexer->token.kind = TOKEN_ASSERT;
    lexer->token.assertion = assertion;
}

static void read_escape(Lexer *lexer) {
    int c = take(lexer);
    switch (c) {
    case -1:
        set_error(lexer, "a backslash at the end");
        return;
    case '<':
        make_assertion(lexer, AT_WORD_BEGIN);
        return;
    case '>':
        make_assertion(lexer, AT_WORD_END);
        return;
    case 'b':
        make_assertion(lexer, AT_WORD_EDGE);
        return;
    case 'B':
        make_assertion(lexer, NOT_AT_WORD_EDGE);
        return;
    case 'w':
        make_class(lexer, "alnum", false, true);
        return;
    case 'W':
        make_class(lexer, "alnum", true, true);
        return;
    case 's':
        make_class(lexer, "space", false, false);
        return;
    case 'S':
        make_class(lexer, "space", true, false);
        return;
    default:
        if (c >= '1' && c <= '9') {
            set_error(lexer, "back-references are not supported");
            return;
        }
        make_character(lexer, c);
    }
}

void lexer_next(Lexer *lexer) {
    int c = take(lexer);
    switch (c) {
    case -1:
        lexer->token.kind = TOKEN_END;
        return;
    case '\\':
        read_escape(lexer);
        return;
    case '[':
        read_bracket(lexer);
        return;
    case '.':
        make_any(lexer);
        return;
    case '^':
        make_assertion(lexer, AT_LINE_BEGIN);
        return;
    case '$':
        make_assertion(lexer, AT_LINE_END);
        return;
    case '*':
        make_repeat(lexer, c, 0, WITHOUT_LIMIT);
        return;
    case '+':
        make_repeat(lexer, c, 1, WITHOUT_LIMIT);
        return;
    case '?':
        make_repeat(lexer, c, 0, 1);
        return;
    case '{':
        read_interval(lexer);
        return;
    case '|':
    case '\n':
        lexer->token.kind = TOKEN_OR;
        return;
    case '(':
        lexer->token.kind = TOKEN_OPEN;
        return;
    case ')':
        lexer->token.kind = TOKEN_CLOSE;
        return;
    default:
        make_character(lexer, c);
    }
}
