/* The tokens of an extended regular expression. */
#ifndef LEXER_H
#define LEXER_H

#include "charset.h"

typedef enum {
    TOKEN_END,
    TOKEN_SET,      /* a character, `.`, a bracket expression, \w … */
    TOKEN_ASSERT,   /* ^ $ \< \> \b \B */
    TOKEN_REPEAT,   /* * + ? {m,n} */
    TOKEN_OR,       /* | or a newline */
    TOKEN_OPEN,
    TOKEN_CLOSE
} TokenKind;

typedef enum { AT_LINE_BEGIN, AT_LINE_END, AT_WORD_BEGIN, AT_WORD_END, AT_WORD_EDGE, NOT_AT_WORD_EDGE, NOT_BEHIND_WORD, NOT_BEFORE_WORD } Assertion;

enum { WITHOUT_LIMIT = -1, MOST_REPETITIONS = 255 };

typedef struct {
    TokenKind kind;
    Charset set;
    Assertion assertion;
    int least, most;  /* of a repetition */
    char character;   /* the one that it was written with, if it can stand for itself */
} Token;

typedef struct {
    const char *pattern;
    int length;
    int position;
    bool ignore_case;
    Token token;
    const char *error; /* null if all is well */
} Lexer;

void lexer_init(Lexer *lexer, const char *pattern, int length, bool ignore_case);
/* Reads the next token; an error ends the pattern. */
void lexer_next(Lexer *lexer);
/* A repetition with nothing in front of it stands for its first character: makes the token such a set. */
void lexer_take_literally(Lexer *lexer);

#endif
