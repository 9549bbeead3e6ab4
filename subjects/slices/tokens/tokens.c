/* tokens [FILE]: prints the tokens of a file (or standard input) and what they are, one on a line. The scanner is a table of states.
 *
 *     keyword     and  or  if  xor  lambda  =>          identifier  a letter, then letters and digits
 *     special     (  )  [  ]  '  `  ,                   numeric     digits
 *     string      "…" on one line                       character   # and one character
 *     comment     ; to the end of the line, not printed
 *
 * Everything else up to the next delimiter is an error, as is a token of more than 80 characters.
 *
 * Written after the public description of print_tokens in the Siemens suite (Hutchins et al., 1994). */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TOKEN = 80 };

typedef enum { KEYWORD, SPECIAL, IDENTIFIER, NUMERIC, STRING, CHARACTER, ERROR, END_OF_FILE } Category;

typedef struct {
    Category category;
    int begin; /* where its text begins in the buffer: behind the quote of a string */
    int length;
    char buffer[MOST_TOKEN + 1];
    bool is_too_long;
} Token;

/* ---- Characters ---- */

typedef enum { LETTER, DIGIT, BLANK, NEWLINE, QUOTE, HASH, SEMICOLON, BRACKET, EQUAL, GREATER, OTHER, END, CLASSES } Class;

static Class class_of(int c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return LETTER;
    if (c >= '0' && c <= '9')
        return DIGIT;
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
        return BLANK;
    case '\n':
        return NEWLINE;
    case '"':
        return QUOTE;
    case '#':
        return HASH;
    case ';':
        return SEMICOLON;
    case '(':
    case ')':
    case '[':
    case ']':
    case '\'':
    case '`':
    case ',':
        return BRACKET;
    case '=':
        return EQUAL;
    case '>':
        return GREATER;
    case EOF:
        return END;
    default:
        return OTHER;
    }
}

/* ---- States: which state follows on which class. Final states come last. ---- */

typedef enum {
    START,
    IN_IDENTIFIER,
    IN_NUMBER,
    IN_STRING,
    IN_CHARACTER,
    IN_COMMENT,
    IN_ARROW,
    IN_ERROR,
    STATES,
    /* Final with the character that led there … */
    END_SPECIAL,
    END_STRING,
    END_CHARACTER,
    END_ARROW,
    /* … and without it. */
    END_IDENTIFIER,
    END_NUMBER,
    END_ERROR,
    END_INPUT
} State;

static const unsigned char next_state[STATES][CLASSES] = {
    [START] = {[LETTER] = IN_IDENTIFIER, [DIGIT] = IN_NUMBER, [BLANK] = START, [NEWLINE] = START, [QUOTE] = IN_STRING,
               [HASH] = IN_CHARACTER, [SEMICOLON] = IN_COMMENT, [BRACKET] = END_SPECIAL, [EQUAL] = IN_ARROW,
               [GREATER] = IN_ERROR, [OTHER] = IN_ERROR, [END] = END_INPUT},
    [IN_IDENTIFIER] = {[LETTER] = IN_IDENTIFIER, [DIGIT] = IN_IDENTIFIER, [BLANK] = END_IDENTIFIER, [NEWLINE] = END_IDENTIFIER,
                       [QUOTE] = END_IDENTIFIER, [HASH] = IN_ERROR, [SEMICOLON] = END_IDENTIFIER, [BRACKET] = END_IDENTIFIER,
                       [EQUAL] = IN_ERROR, [GREATER] = IN_ERROR, [OTHER] = IN_ERROR, [END] = END_IDENTIFIER},
    [IN_NUMBER] = {[LETTER] = IN_ERROR, [DIGIT] = IN_NUMBER, [BLANK] = END_NUMBER, [NEWLINE] = END_NUMBER, [QUOTE] = END_NUMBER,
                   [HASH] = IN_ERROR, [SEMICOLON] = END_NUMBER, [BRACKET] = END_NUMBER, [EQUAL] = IN_ERROR,
                   [GREATER] = IN_ERROR, [OTHER] = IN_ERROR, [END] = END_NUMBER},
    [IN_STRING] = {[LETTER] = IN_STRING, [DIGIT] = IN_STRING, [BLANK] = IN_STRING, [NEWLINE] = END_ERROR, [QUOTE] = END_STRING,
                   [HASH] = IN_STRING, [SEMICOLON] = IN_STRING, [BRACKET] = IN_STRING, [EQUAL] = IN_STRING,
                   [GREATER] = IN_STRING, [OTHER] = IN_STRING, [END] = END_ERROR},
    [IN_CHARACTER] = {[LETTER] = END_CHARACTER, [DIGIT] = END_CHARACTER, [BLANK] = END_CHARACTER, [NEWLINE] = END_ERROR,
                      [QUOTE] = END_CHARACTER, [HASH] = END_CHARACTER, [SEMICOLON] = END_CHARACTER, [BRACKET] = END_CHARACTER,
                      [EQUAL] = END_CHARACTER, [GREATER] = END_CHARACTER, [OTHER] = END_CHARACTER, [END] = END_ERROR},
    [IN_COMMENT] = {[LETTER] = IN_COMMENT, [DIGIT] = IN_COMMENT, [BLANK] = IN_COMMENT, [NEWLINE] = START, [QUOTE] = IN_COMMENT,
                    [HASH] = IN_COMMENT, [SEMICOLON] = IN_COMMENT, [BRACKET] = IN_COMMENT, [EQUAL] = IN_COMMENT,
                    [GREATER] = IN_COMMENT, [OTHER] = IN_COMMENT, [END] = END_INPUT},
    [IN_ARROW] = {[LETTER] = IN_ERROR, [DIGIT] = IN_ERROR, [BLANK] = END_ERROR, [NEWLINE] = END_ERROR, [QUOTE] = END_ERROR,
                  [HASH] = IN_ERROR, [SEMICOLON] = END_ERROR, [BRACKET] = END_ERROR, [EQUAL] = IN_ERROR, [GREATER] = END_ARROW,
                  [OTHER] = IN_ERROR, [END] = END_ERROR},
    [IN_ERROR] = {[LETTER] = IN_ERROR, [DIGIT] = IN_ERROR, [BLANK] = END_ERROR, [NEWLINE] = END_ERROR, [QUOTE] = END_ERROR,
                  [HASH] = IN_ERROR, [SEMICOLON] = END_ERROR, [BRACKET] = END_ERROR, [EQUAL] = IN_ERROR, [GREATER] = IN_ERROR,
                  [OTHER] = IN_ERROR, [END] = END_ERROR},
};

static bool is_final(State state) {
    return state > STATES;
}

static bool takes_character(State state) {
    return state < END_IDENTIFIER;
}

/* ---- Tokens ---- */

static void add(Token *token, int c) {
    if (token->length >= MOST_TOKEN) {
        token->is_too_long = true;
        return;
    }
    token->buffer[token->length] = (char)c;
    token->length++;
    token->buffer[token->length] = 0;
}

static bool is_keyword(const char *text) {
    static const char *const keywords[] = {"and", "or", "if", "xor", "lambda"};
    for (int i = 0; i < (int)(sizeof keywords / sizeof keywords[0]); i++) {
        if (strcmp(text, keywords[i]) == 0)
            return true;
    }
    return false;
}

static Category category_of(State state, const Token *token) {
    if (token->is_too_long)
        return ERROR;
    switch (state) {
    case END_SPECIAL:
        return SPECIAL;
    case END_STRING:
        return STRING;
    case END_CHARACTER:
        return CHARACTER;
    case END_ARROW:
        return KEYWORD;
    case END_IDENTIFIER:
        return is_keyword(token->buffer + token->begin) ? KEYWORD : IDENTIFIER;
    case END_NUMBER:
        return NUMERIC;
    case END_INPUT:
        return END_OF_FILE;
    default:
        return ERROR;
    }
}

/* The delimiters of strings and characters do not belong to their text. */
static void trim(Token *token) {
    if (token->category == STRING) {
        token->begin++;
        token->length--;
        token->buffer[token->length] = 0;
    }
    if (token->category == CHARACTER)
        token->begin++;
}

static void read_token(FILE *file, Token *token) {
    State state = START;
    token->begin = 0;
    token->length = 0;
    token->is_too_long = false;
    token->buffer[0] = 0;
    do {
        int c = getc(file);
        state = next_state[state][class_of(c)];
        if (!is_final(state) || takes_character(state)) {
            if (state != IN_COMMENT)
                add(token, c);
        } else if (c != EOF) {
            ungetc(c, file);
        }
        if (state == START)
            token->length = 0; /* blanks in front do not belong to the token */
    } while (!is_final(state));
    token->category = category_of(state, token);
    trim(token);
}

static void print_token(const Token *token) {
    const char *text = token->buffer + token->begin;
    switch (token->category) {
    case KEYWORD:
        printf("keyword,\"%s\"\n", text);
        break;
    case SPECIAL:
        printf("special,\"%s\"\n", text);
        break;
    case IDENTIFIER:
        printf("identifier,\"%s\"\n", text);
        break;
    case NUMERIC:
        printf("numeric,\"%s\"\n", text);
        break;
    case STRING:
        printf("string,\"%s\"\n", text);
        break;
    case CHARACTER:
        printf("character,\"%s\"\n", text);
        break;
    case ERROR:
        printf("error,\"%s\"\n", text);
        break;
    case END_OF_FILE:
        printf("eof\n");
        break;
    }
}

int main(int argc, char **argv) {
    FILE *file = stdin;
    Token token;
    if (argc > 2) {
        fprintf(stderr, "usage: tokens [FILE]\n");
        return 2;
    }
    if (argc == 2) {
        file = fopen(argv[1], "r");
        if (file == NULL) {
            fprintf(stderr, "tokens: cannot read %s\n", argv[1]);
            return 2;
        }
    }
    do {
        read_token(file, &token);
        print_token(&token);
    } while (token.category != END_OF_FILE);
    if (file != stdin)
        fclose(file);
    return 0;
}
