/* Automata with several states at a time (Thompson, 1968). */
#ifndef NFA_H
#define NFA_H

#include "tree.h"

typedef enum { STATE_SET, STATE_SPLIT, STATE_ASSERT, STATE_ACCEPT } StateKind;

enum { NO_STATE = -1, MOST_STATES = 20000 };

typedef struct {
    StateKind kind;
    int next;
    int other; /* of a split */
    Assertion assertion;
    Charset set;
} State;

typedef struct {
    State *states;
    int count;
    int capacity;
    int start;
} Nfa;

void nfa_build(Nfa *nfa, const Node *node);
void nfa_free(Nfa *nfa);

/* What stands before and behind a position. */
typedef enum { CONTEXT_EDGE, CONTEXT_WORD, CONTEXT_OTHER, CONTEXTS } Context;

Context context_of(int c); /* -1 at the ends of the line */
bool assertion_holds(Assertion assertion, Context before, Context behind);

#endif
