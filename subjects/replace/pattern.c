#include "pattern.h"

/* ---- Elements ---- */

static PatternStatus add_element(Pattern *pattern, Kind kind) {
    if (pattern->count >= MOST_ELEMENTS)
        return TOO_MANY_ELEMENTS;
    Element *element = &pattern->elements[pattern->count];
    pattern->count++;
    element->kind = kind;
    element->repeated = false;
    element->character = END;
    element->first_member = pattern->member_count;
    element->member_count = 0;
    return LEGAL;
}

static Element *last_element(Pattern *pattern) {
    return &pattern->elements[pattern->count - 1];
}

static PatternStatus add_character(Pattern *pattern, char c) {
    PatternStatus status = add_element(pattern, CHARACTER);
    if (status != LEGAL)
        return status;
    last_element(pattern)->character = c;
    return LEGAL;
}

/* ---- Classes: their members go to the last element ---- */

static PatternStatus add_member(Pattern *pattern, char c) {
    if (pattern->member_count >= MOST_MEMBERS)
        return TOO_MANY_MEMBERS;
    pattern->members[pattern->member_count] = c;
    pattern->member_count++;
    last_element(pattern)->member_count++;
    return LEGAL;
}

/* Does the dash at source[i] stand between the ends of a range? */
static bool is_range(const char *source, int i, int first) {
    if (i == first)
        return false;
    if (source[i + 1] == CLASS_END)
        return false;
    char low = source[i - 1];
    char high = source[i + 1];
    if (!is_alphanumeric(low))
        return false;
    if (!is_alphanumeric(high))
        return false;
    return low <= high;
}

/* All characters after the low end, which is a member already, up to the high end. */
static PatternStatus add_range(Pattern *pattern, char low, char high) {
    for (int c = low + 1; c <= high; c++) {
        PatternStatus status = add_member(pattern, (char)c);
        if (status != LEGAL)
            return status;
    }
    return LEGAL;
}

/* Adds what stands at source[*i]; *i is then its last position. */
static PatternStatus add_next_member(const char *source, int *i, int first, Pattern *pattern) {
    char c = source[*i];
    if (c == ESCAPE)
        return add_member(pattern, unescape(source, i));
    if (c != DASH)
        return add_member(pattern, c);
    if (!is_range(source, *i, first))
        return add_member(pattern, DASH);
    *i = *i + 1;
    return add_range(pattern, source[*i - 2], source[*i]);
}

/* The class whose bracket stands at source[*i]; *i is then the position of its other bracket. */
static PatternStatus add_class(const char *source, int *i, Pattern *pattern) {
    Kind kind = IN_CLASS;
    *i = *i + 1;
    if (source[*i] == NEGATE) {
        kind = NOT_IN_CLASS;
        *i = *i + 1;
    }
    PatternStatus status = add_element(pattern, kind);
    if (status != LEGAL)
        return status;
    int first = *i;
    while (source[*i] != CLASS_END) {
        if (source[*i] == END)
            return CLASS_NOT_CLOSED;
        status = add_next_member(source, i, first, pattern);
        if (status != LEGAL)
            return status;
        *i = *i + 1;
    }
    return LEGAL;
}

/* ---- Closures ---- */

static bool can_repeat(const Element *element) {
    if (element->kind == AT_BEGIN)
        return false;
    if (element->kind == AT_END)
        return false;
    if (element->repeated)
        return false;
    return true;
}

static PatternStatus repeat_last(Pattern *pattern) {
    Element *last = last_element(pattern);
    if (!can_repeat(last))
        return NOTHING_TO_REPEAT;
    last->repeated = true;
    return LEGAL;
}

/* ---- The whole pattern ---- */

/* Adds what stands at source[*i]; *i is then its last position. */
static PatternStatus add_next(const char *source, int *i, Pattern *pattern) {
    char c = source[*i];
    if (c == ANY)
        return add_element(pattern, ANY_CHARACTER);
    if (c == LINE_BEGIN && *i == 0)
        return add_element(pattern, AT_BEGIN);
    if (c == LINE_END && source[*i + 1] == END)
        return add_element(pattern, AT_END);
    if (c == CLASS_BEGIN)
        return add_class(source, i, pattern);
    if (c == CLOSURE && *i > 0)
        return repeat_last(pattern);
    return add_character(pattern, unescape(source, i));
}

PatternStatus make_pattern(const char *source, Pattern *pattern, int *place) {
    pattern->count = 0;
    pattern->member_count = 0;
    *place = 0;
    if (source[0] == END)
        return EMPTY;
    while (source[*place] != END) {
        PatternStatus status = add_next(source, place, pattern);
        if (status != LEGAL)
            return status;
        *place = *place + 1;
    }
    return LEGAL;
}

const char *describe_pattern_status(PatternStatus status) {
    switch (status) {
    case LEGAL:
        return "it is legal";
    case EMPTY:
        return "it is empty";
    case CLASS_NOT_CLOSED:
        return "a class is not closed";
    case NOTHING_TO_REPEAT:
        return "there is nothing to repeat";
    case TOO_MANY_ELEMENTS:
        return "it is too long";
    case TOO_MANY_MEMBERS:
        return "its classes are too large";
    }
    return "";
}
