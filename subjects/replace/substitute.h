/* The replacement: `&` is the matched text, `@c` the character c without its special meaning, @n newline, @t tab. */
#ifndef SUBSTITUTE_H
#define SUBSTITUTE_H

#include "text.h"

enum { MOST_PIECES = 50, DITTO = '&' };

/* One character, or the matched text. */
typedef struct {
    bool is_ditto;
    char character;
} Piece;

typedef struct {
    int count;
    Piece pieces[MOST_PIECES];
} Replacement;

/* False if it is too long. */
bool make_replacement(const char *source, Replacement *replacement);
/* Writes the replacement for line[from] … line[to - 1]. */
void put_replacement(const Replacement *replacement, const char *line, int from, int to);

#endif
