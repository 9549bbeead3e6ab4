#include "match.h"

static bool is_member(const Pattern *pattern, const Element *element, char c) {
    for (int i = 0; i < element->member_count; i++) {
        if (pattern->members[element->first_member + i] == c)
            return true;
    }
    return false;
}

static bool is_line_end(char c) {
    return c == NEWLINE || c == END;
}

/* Does one element match at `at`? *width is then how many characters it takes. */
static bool match_one(const Pattern *pattern, const Element *element, const char *line, int at, int *width) {
    char c = line[at];
    *width = 0;
    if (element->kind == AT_BEGIN)
        return at == 0;
    if (element->kind == AT_END)
        return is_line_end(c);
    if (c == END)
        return false;
    *width = 1;
    switch (element->kind) {
    case CHARACTER:
        return c == element->character;
    case ANY_CHARACTER:
        return c != NEWLINE;
    case IN_CLASS:
        return is_member(pattern, element, c);
    case NOT_IN_CLASS:
        return c != NEWLINE && !is_member(pattern, element, c);
    default:
        return false;
    }
}

static int match_elements(const Pattern *pattern, int number, const char *line, int from);

/* A closure takes all it can, then gives back one character after another until the rest matches too. */
static int match_closure(const Pattern *pattern, int number, const char *line, int from) {
    const Element *element = &pattern->elements[number];
    int at = from;
    int width;
    while (match_one(pattern, element, line, at, &width))
        at += width;
    while (at >= from) {
        int end = match_elements(pattern, number + 1, line, at);
        if (end != NO_MATCH)
            return end;
        at--;
    }
    return NO_MATCH;
}

static int match_elements(const Pattern *pattern, int number, const char *line, int from) {
    int at = from;
    while (number < pattern->count) {
        const Element *element = &pattern->elements[number];
        if (element->repeated)
            return match_closure(pattern, number, line, at);
        int width;
        if (!match_one(pattern, element, line, at, &width))
            return NO_MATCH;
        at += width;
        number++;
    }
    return at;
}

int match_at(const Pattern *pattern, const char *line, int from) {
    return match_elements(pattern, 0, line, from);
}
