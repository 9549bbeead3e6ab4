/* tokens2 [FILE]: prints the tokens of a file (or standard input) and what they are, one on a line. A token is first cut off at its
 * delimiter and then told by what it looks like.
 *
 *     keyword     and  or  if  xor  lambda  =>          identifier  a letter, then letters and digits
 *     special     (  )  [  ]  '  `  ,                   numeric     digits
 *     string      "…" on one line                       character   # and one character
 *     comment     ; to the end of the line, not printed
 *
 * Everything else up to the next delimiter is an error, as is a token of more than 80 characters.
 *
 * Written after the public description of print_tokens2 in the Siemens suite (Hutchins et al., 1994). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { FALSE, TRUE };
enum { BUFFER = 80 };

/* ---- Character stream: a line at a time, with one character of look-back ---- */

typedef struct {
    FILE *file;
    char line[BUFFER + 1];
    int index;
    int length;
    int is_at_end;
} CharacterStream;

static int open_character_stream(CharacterStream *stream, const char *name) {
    stream->index = 0;
    stream->length = 0;
    stream->is_at_end = FALSE;
    stream->file = stdin;
    if (name != NULL)
        stream->file = fopen(name, "r");
    return stream->file != NULL;
}

/* The next character; EOF behind the last one. */
static int get_char(CharacterStream *stream) {
    if (stream->index == stream->length) {
        if (stream->is_at_end)
            return EOF;
        if (fgets(stream->line, BUFFER, stream->file) == NULL) {
            stream->is_at_end = TRUE;
            return EOF;
        }
        stream->index = 0;
        stream->length = (int)strlen(stream->line);
    }
    return stream->line[stream->index++];
}

static void unget_char(CharacterStream *stream, int c) {
    if (c == EOF)
        return;
    stream->index--;
}

/* ---- Token stream ---- */

typedef struct {
    char text[BUFFER + 1];
    int length;
    int is_too_long;
} Token;

static void clear_token(Token *token) {
    token->length = 0;
    token->is_too_long = FALSE;
    token->text[0] = '\0';
}

static void add_to_token(Token *token, int c) {
    if (token->length == BUFFER) {
        token->is_too_long = TRUE;
        return;
    }
    token->text[token->length++] = (char)c;
    token->text[token->length] = '\0';
}

static int is_special_symbol(int c) {
    switch (c) {
    case '(': case ')': case '[': case ']': case '\'': case '`': case ',':
        return TRUE;
    default:
        return FALSE;
    }
}

static int is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Does this character end a token that began otherwise? */
static int is_delimiter(int c) {
    if (c == EOF)
        return TRUE;
    if (is_blank(c))
        return TRUE;
    if (is_special_symbol(c))
        return TRUE;
    return c == ';' || c == '"';
}

static void skip_comment(CharacterStream *stream) {
    int c = get_char(stream);
    while (c != '\n' && c != EOF)
        c = get_char(stream);
    unget_char(stream, c);
}

/* The first character of the next token; EOF if there is none. */
static int skip_blanks_and_comments(CharacterStream *stream) {
    int c = get_char(stream);
    while (is_blank(c) || c == ';') {
        if (c == ';')
            skip_comment(stream);
        c = get_char(stream);
    }
    return c;
}

/* The rest of a string with its other quote, if that stands on the same line. */
static void get_string(CharacterStream *stream, Token *token) {
    int c = get_char(stream);
    while (c != '"' && c != '\n' && c != EOF) {
        add_to_token(token, c);
        c = get_char(stream);
    }
    if (c == '"')
        add_to_token(token, c);
    else
        unget_char(stream, c);
}

static void get_character(CharacterStream *stream, Token *token) {
    int c = get_char(stream);
    if (c == '\n' || c == EOF)
        unget_char(stream, c);
    else
        add_to_token(token, c);
}

/* "=>" ends with its second character; anything else goes on to a delimiter. */
static void get_word(CharacterStream *stream, Token *token) {
    int c = get_char(stream);
    if (token->text[0] == '=' && c == '>') {
        add_to_token(token, c);
        return;
    }
    while (!is_delimiter(c)) {
        add_to_token(token, c);
        c = get_char(stream);
    }
    unget_char(stream, c);
}

/* Cuts off the next token; false at the end of the file. */
static int get_token(CharacterStream *stream, Token *token) {
    clear_token(token);
    int c = skip_blanks_and_comments(stream);
    if (c == EOF)
        return FALSE;
    add_to_token(token, c);
    if (is_special_symbol(c))
        return TRUE;
    if (c == '"')
        get_string(stream, token);
    else if (c == '#')
        get_character(stream, token);
    else
        get_word(stream, token);
    return TRUE;
}

/* ---- What a token is ---- */

static int is_keyword(const char *text) {
    return strcmp(text, "and") == 0 || strcmp(text, "or") == 0 || strcmp(text, "if") == 0 || strcmp(text, "xor") == 0 ||
           strcmp(text, "lambda") == 0 || strcmp(text, "=>") == 0;
}

static int is_identifier(const char *text) {
    if (!isalpha((unsigned char)text[0]))
        return FALSE;
    for (int i = 1; text[i] != '\0'; i++) {
        if (!isalpha((unsigned char)text[i]) && !isdigit((unsigned char)text[i]))
            return FALSE;
    }
    return TRUE;
}

static int is_numeric_constant(const char *text) {
    for (int i = 0; text[i] != '\0'; i++) {
        if (!isdigit((unsigned char)text[i]))
            return FALSE;
    }
    return TRUE;
}

static int is_string_constant(const Token *token) {
    return token->length > 1 && token->text[0] == '"' && token->text[token->length - 1] == '"';
}

static int is_character_constant(const Token *token) {
    return token->length == 2 && token->text[0] == '#';
}

static void print_token(Token *token) {
    char *text = token->text;
    if (token->is_too_long) {
        printf("error,\"%s\"\n", text);
        return;
    }
    if (is_keyword(text)) {
        printf("keyword,\"%s\"\n", text);
    } else if (is_special_symbol(text[0])) {
        printf("special,\"%s\"\n", text);
    } else if (is_identifier(text)) {
        printf("identifier,\"%s\"\n", text);
    } else if (is_numeric_constant(text)) {
        printf("numeric,\"%s\"\n", text);
    } else if (is_string_constant(token)) {
        text[token->length - 1] = '\0';
        printf("string,\"%s\"\n", text + 1);
    } else if (is_character_constant(token)) {
        printf("character,\"%s\"\n", text + 1);
    } else {
        printf("error,\"%s\"\n", text);
    }
}

int main(int argc, char **argv) {
    CharacterStream stream;
    Token token;
    const char *name = NULL;
    if (argc > 2) {
        fprintf(stderr, "usage: tokens2 [FILE]\n");
        return 2;
    }
    if (argc == 2)
        name = argv[1];
    if (!open_character_stream(&stream, name)) {
        fprintf(stderr, "tokens2: cannot read %s\n", name);
        return 2;
    }
    while (get_token(&stream, &token))
        print_token(&token);
    printf("eof\n");
    if (stream.file != stdin)
        fclose(stream.file);
    return 0;
}
