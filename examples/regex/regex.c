#include "regex.h"

#include <stdbool.h>

/* The pattern behind the first atom. */
static const char *skip_atom(const char *p) {
    if (*p != '[')
        return p + 1;
    p++;
    if (*p == '^')
        p++;
    while (*p && *p != ']')
        p++;
    return *p ? p + 1 : p;
}

/* -DFAULTY forgets the last member of a class. */
static bool in_class(const char *p, const char *end, char c) {
    bool negated = *p == '^';
    if (negated)
        p++;
#ifdef FAULTY
    for (; p + 1 < end; p++) {
#else
    for (; p < end; p++) {
#endif
        if (p + 2 < end && p[1] == '-') {
            if (p[0] <= c && c <= p[2])
                return !negated;
            p += 2;
        } else if (*p == c)
            return !negated;
    }
    return negated;
}

static bool atom_matches(const char *p, char c) {
    if (!c)
        return false;
    if (*p == '.')
        return true;
    if (*p == '[')
        return in_class(p + 1, skip_atom(p) - 1, c);
    return *p == c;
}

static bool match_here(const char *p, const char *t);

/* At least `least` and at most `most` repetitions of the atom at p, then what follows: the longest first. */
static bool match_many(const char *p, const char *rest, const char *t, int least, int most) {
    int n = 0;
    while (n < most && atom_matches(p, t[n]))
        n++;
    for (; n >= least; n--)
        if (match_here(rest, t + n))
            return true;
    return false;
}

static bool match_here(const char *p, const char *t) {
    if (!*p)
        return true;
    if (p[0] == '$' && !p[1])
        return !*t;
    const char *rest = skip_atom(p);
    switch (*rest) {
    case '*': return match_many(p, rest + 1, t, 0, 1000);
    case '+': return match_many(p, rest + 1, t, 1, 1000);
    case '?': return match_many(p, rest + 1, t, 0, 1);
    default: return atom_matches(p, *t) && match_here(rest, t + 1);
    }
}

int regex_search(const char *pattern, const char *text) {
    if (*pattern == '^')
        return match_here(pattern + 1, text) ? 0 : -1;
    for (int at = 0;; at++) {
        if (match_here(pattern, text + at))
            return at;
        if (!text[at])
            return -1;
    }
}
