/* Deterministic automata, made from the others state by state as texts need them. */
#ifndef DFA_H
#define DFA_H

#include <stddef.h>

#include "nfa.h"

/* A state is the set of states in which the other automaton may be, and what stood before. Whether a match ends here depends on
 * what stands behind. */
typedef struct DfaState {
    int *members; /* in ascending order */
    int count;
    Context before;
    signed char accepts[CONTEXTS]; /* -1: not yet known */
    struct DfaState *next[CHARACTERS];
    struct DfaState *same_hash;
    bool is_dead; /* no match can follow */
} DfaState;

enum { HASH_SIZE = 127, MOST_DFA_STATES = 200 };

typedef struct {
    const Nfa *nfa;
    bool searches; /* may a match begin at every position, or only at the first? */
    DfaState *table[HASH_SIZE];
    int state_count;
    DfaState *starts[CONTEXTS]; /* by what stands before the first position */
    bool *marked;
    int *stack;
    int *closure;
    int closure_count;
    int flushes; /* how often all states were thrown away */
} Dfa;

void dfa_init(Dfa *dfa, const Nfa *nfa, bool searches);
void dfa_free(Dfa *dfa);

/* Does a match end anywhere in the text? */
bool dfa_finds(Dfa *dfa, const char *text, size_t length);
/* The end of the longest match that begins at `from`; -1 if there is none. */
long dfa_longest(Dfa *dfa, const char *text, size_t length, size_t from);

#endif
