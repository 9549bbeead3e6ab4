/* Lines against patterns. */
#ifndef MATCHER_H
#define MATCHER_H

#include <stddef.h>

#include "dfa.h"
#include "literal.h"
#include "options.h"

typedef struct {
    bool never;  /* there is no pattern at all */
    Forest forest;
    Nfa nfa;
    Dfa search;
    Dfa anchored;
    Literal literal;
    long tried;    /* lines that the automaton had to look at */
    long rejected; /* lines without the literal */
} Matcher;

void matcher_init(Matcher *matcher, const Options *options);
void matcher_free(Matcher *matcher);

bool matcher_matches(Matcher *matcher, const char *line, size_t length);
/* The leftmost longest match from a position on; false if there is none. */
bool matcher_find(Matcher *matcher, const char *line, size_t length, size_t from, size_t *begin, size_t *end);

#endif
