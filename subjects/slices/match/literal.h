/* The longest text that every match must have in it, and a quick search for it (Horspool, 1980). */
#ifndef LITERAL_H
#define LITERAL_H

#include <stddef.h>

#include "tree.h"

enum { MOST_LITERAL = 32 };

typedef struct {
    int length; /* 0: none is known */
    char text[MOST_LITERAL + 1];
    bool is_whole; /* the expression is just this text */
    unsigned char shift[CHARACTERS];
} Literal;

void literal_find(Literal *literal, const Node *node);
/* Is the literal in the text? Always, if none is known. */
bool literal_occurs(const Literal *literal, const char *text, size_t length);

#endif
