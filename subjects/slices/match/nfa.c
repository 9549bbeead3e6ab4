#include "nfa.h"

#include <stdlib.h>

#include "util.h"

static int add_state(Nfa *nfa, StateKind kind, int next) {
    if (nfa->count == MOST_STATES)
        fail("the pattern has too many states");
    if (nfa->count == nfa->capacity) {
        nfa->capacity *= 2;
        nfa->states = reallocate(nfa->states, (size_t)nfa->capacity * sizeof *nfa->states);
    }
    int number = nfa->count;
    State *state = &nfa->states[number];
    state->kind = kind;
    state->next = next;
    state->other = NO_STATE;
    state->assertion = AT_LINE_BEGIN;
    charset_clear(&state->set);
    nfa->count++;
    return number;
}

static int build(Nfa *nfa, const Node *node, int next);

static int build_or(Nfa *nfa, const Node *node, int next) {
    int left = build(nfa, node->left, next);
    int right = build(nfa, node->right, next);
    int split = add_state(nfa, STATE_SPLIT, left);
    nfa->states[split].other = right;
    return split;
}

/* Only x*, x+ and x? come here. */
static int build_repeat(Nfa *nfa, const Node *node, int next) {
    if (node->most == 1) {
        int child = build(nfa, node->left, next);
        int split = add_state(nfa, STATE_SPLIT, child);
        nfa->states[split].other = next;
        return split;
    }
    int split = add_state(nfa, STATE_SPLIT, NO_STATE);
    int child = build(nfa, node->left, split);
    nfa->states[split].next = child;
    nfa->states[split].other = next;
    if (node->least == 0)
        return split;
    return child;
}

/* The states for a node, from its end to its beginning: where they start. */
static int build(Nfa *nfa, const Node *node, int next) {
    int number;
    switch (node->kind) {
    case NODE_EMPTY:
        return next;
    case NODE_SET:
        number = add_state(nfa, STATE_SET, next);
        nfa->states[number].set = node->set;
        return number;
    case NODE_ASSERT:
        number = add_state(nfa, STATE_ASSERT, next);
        nfa->states[number].assertion = node->assertion;
        return number;
    case NODE_CONCAT:
        return build(nfa, node->left, build(nfa, node->right, next));
    case NODE_OR:
        return build_or(nfa, node, next);
    case NODE_REPEAT:
        return build_repeat(nfa, node, next);
    }
    return next;
}

void nfa_build(Nfa *nfa, const Node *node) {
    nfa->count = 0;
    nfa->capacity = 32;
    nfa->states = allocate((size_t)nfa->capacity * sizeof *nfa->states);
    int accept = add_state(nfa, STATE_ACCEPT, NO_STATE);
    nfa->start = build(nfa, node, accept);
}

void nfa_free(Nfa *nfa) {
    free(nfa->states);
    nfa->states = NULL;
    nfa->count = 0;
}

Context context_of(int c) {
    if (c < 0)
        return CONTEXT_EDGE;
    if (is_word_character(c))
        return CONTEXT_WORD;
    return CONTEXT_OTHER;
}

bool assertion_holds(Assertion assertion, Context before, Context behind) {
    bool word_before = before == CONTEXT_WORD;
    bool word_behind = behind == CONTEXT_WORD;
    switch (assertion) {
    case AT_LINE_BEGIN:
        return before == CONTEXT_EDGE;
    case AT_LINE_END:
        return behind == CONTEXT_EDGE;
    case AT_WORD_BEGIN:
        return !word_before && word_behind;
    case AT_WORD_END:
        return word_before && !word_behind;
    case AT_WORD_EDGE:
        return word_before != word_behind;
    case NOT_AT_WORD_EDGE:
        return word_before == word_behind;
    case NOT_BEHIND_WORD:
        return !word_before;
    case NOT_BEFORE_WORD:
        return !word_behind;
    }
    return false;
}
