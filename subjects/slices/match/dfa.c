#include "dfa.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

void dfa_init(Dfa *dfa, const Nfa *nfa, bool searches) {
    dfa->nfa = nfa;
    dfa->searches = searches;
    for (int i = 0; i < HASH_SIZE; i++)
        dfa->table[i] = NULL;
    for (int i = 0; i < CONTEXTS; i++)
        dfa->starts[i] = NULL;
    dfa->state_count = 0;
    dfa->flushes = 0;
    dfa->closure_count = 0;
    dfa->marked = allocate((size_t)nfa->count * sizeof *dfa->marked);
    dfa->stack = allocate((size_t)(2 * nfa->count + 2) * sizeof *dfa->stack);
    dfa->closure = allocate((size_t)nfa->count * sizeof *dfa->closure);
}

/* Throws all states away. */
static void flush(Dfa *dfa) {
    for (int i = 0; i < HASH_SIZE; i++) {
        DfaState *state = dfa->table[i];
        while (state != NULL) {
            DfaState *after = state->same_hash;
            free(state->members);
            free(state);
            state = after;
        }
        dfa->table[i] = NULL;
    }
    for (int i = 0; i < CONTEXTS; i++)
        dfa->starts[i] = NULL;
    dfa->state_count = 0;
}

void dfa_free(Dfa *dfa) {
    flush(dfa);
    free(dfa->marked);
    free(dfa->stack);
    free(dfa->closure);
}

/* ---- Closures: what is reached without a character ---- */

static void push(Dfa *dfa, int *size, int number) {
    if (number == NO_STATE)
        return;
    if (dfa->marked[number])
        return;
    dfa->marked[number] = true;
    dfa->stack[*size] = number;
    (*size)++;
}

/* From these states, between what stands before and behind. */
static void compute_closure(Dfa *dfa, const int *members, int count, Context before, Context behind) {
    int size = 0;
    dfa->closure_count = 0;
    for (int i = 0; i < dfa->nfa->count; i++)
        dfa->marked[i] = false;
    for (int i = 0; i < count; i++)
        push(dfa, &size, members[i]);
    while (size > 0) {
        size--;
        int number = dfa->stack[size];
        const State *state = &dfa->nfa->states[number];
        dfa->closure[dfa->closure_count] = number;
        dfa->closure_count++;
        if (state->kind == STATE_SPLIT) {
            push(dfa, &size, state->next);
            push(dfa, &size, state->other);
        } else if (state->kind == STATE_ASSERT) {
            if (assertion_holds(state->assertion, before, behind))
                push(dfa, &size, state->next);
        }
    }
}

static bool closure_accepts(const Dfa *dfa) {
    for (int i = 0; i < dfa->closure_count; i++) {
        if (dfa->nfa->states[dfa->closure[i]].kind == STATE_ACCEPT)
            return true;
    }
    return false;
}

/* ---- States ---- */

static unsigned hash_of(const int *members, int count, Context before) {
    unsigned hash = (unsigned)before;
    for (int i = 0; i < count; i++)
        hash = hash * 31 + (unsigned)members[i];
    return hash % HASH_SIZE;
}

static bool is_same(const DfaState *state, const int *members, int count, Context before) {
    if (state->before != before)
        return false;
    if (state->count != count)
        return false;
    return memcmp(state->members, members, (size_t)count * sizeof *members) == 0;
}

static int compare_numbers(const void *a, const void *b) {
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The state with these members, which are sorted; made if need be. */
static DfaState *find_state(Dfa *dfa, int *members, int count, Context before) {
    qsort(members, (size_t)count, sizeof *members, compare_numbers);
    unsigned hash = hash_of(members, count, before);
    for (DfaState *state = dfa->table[hash]; state != NULL; state = state->same_hash) {
        if (is_same(state, members, count, before))
            return state;
    }
    DfaState *state = allocate(sizeof *state);
    state->members = allocate((size_t)count * sizeof *members);
    memcpy(state->members, members, (size_t)count * sizeof *members);
    state->count = count;
    state->before = before;
    for (int i = 0; i < CONTEXTS; i++)
        state->accepts[i] = -1;
    state->is_dead = count == 0;
    state->same_hash = dfa->table[hash];
    dfa->table[hash] = state;
    dfa->state_count++;
    return state;
}

static DfaState *start_state(Dfa *dfa, Context before) {
    if (dfa->starts[before] == NULL) {
        int start = dfa->nfa->start;
        dfa->starts[before] = find_state(dfa, &start, 1, before);
    }
    return dfa->starts[before];
}

static bool accepts(Dfa *dfa, DfaState *state, Context behind) {
    if (state->accepts[behind] < 0) {
        compute_closure(dfa, state->members, state->count, state->before, behind);
        state->accepts[behind] = closure_accepts(dfa);
    }
    return state->accepts[behind] == 1;
}

/* The members after a character: behind the sets that have it, and the start again when searching. */
static DfaState *compute_next(Dfa *dfa, DfaState *state, int c) {
    int count = 0;
    int *members = allocate((size_t)(dfa->nfa->count + 1) * sizeof *members);
    bool *taken = allocate((size_t)dfa->nfa->count * sizeof *taken);
    compute_closure(dfa, state->members, state->count, state->before, context_of(c));
    for (int i = 0; i < dfa->closure_count; i++) {
        const State *member = &dfa->nfa->states[dfa->closure[i]];
        if (member->kind != STATE_SET)
            continue;
        if (!charset_has(&member->set, c))
            continue;
        if (!taken[member->next]) {
            taken[member->next] = true;
            members[count] = member->next;
            count++;
        }
    }
    if (dfa->searches && !taken[dfa->nfa->start]) {
        members[count] = dfa->nfa->start;
        count++;
    }
    DfaState *next = find_state(dfa, members, count, context_of(c));
    free(members);
    free(taken);
    return next;
}

static DfaState *step(Dfa *dfa, DfaState *state, int c) {
    if (state->next[c] != NULL)
        return state->next[c];
    DfaState *next;
    if (dfa->state_count >= MOST_DFA_STATES) {
        /* Begin afresh with a copy of where we are. */
        int count = state->count;
        Context before = state->before;
        int *members = allocate((size_t)count * sizeof *members);
        memcpy(members, state->members, (size_t)count * sizeof *members);
        flush(dfa);
        dfa->flushes++;
        state = find_state(dfa, members, count, before);
        free(members);
    }
    next = compute_next(dfa, state, c);
    state->next[c] = next;
    return next;
}

/* ---- Running ---- */

static int character_at(const char *text, size_t length, size_t at) {
    if (at >= length)
        return -1;
    return (unsigned char)text[at];
}

bool dfa_finds(Dfa *dfa, const char *text, size_t length) {
    DfaState *state = start_state(dfa, CONTEXT_EDGE);
    for (size_t at = 0;; at++) {
        int c = character_at(text, length, at);
        if (accepts(dfa, state, context_of(c)))
            return true;
        if (c < 0 || state->is_dead)
            return false;
        state = step(dfa, state, c);
    }
}

long dfa_longest(Dfa *dfa, const char *text, size_t length, size_t from) {
    long longest = -1;
    Context before = from == 0 ? CONTEXT_EDGE : context_of((unsigned char)text[from - 1]);
    DfaState *state = start_state(dfa, before);
    for (size_t at = from;; at++) {
        int c = character_at(text, length, at);
        if (accepts(dfa, state, context_of(c)))
            longest = (long)at;
        if (c < 0 || state->is_dead)
            return longest;
        state = step(dfa, state, c);
    }
}
