#include "charset.h"

#include <string.h>

enum { WORD_BITS = 32 };

void charset_clear(Charset *set) {
    for (int i = 0; i < CHARSET_WORDS; i++)
        set->words[i] = 0;
}

void charset_fill(Charset *set) {
    for (int i = 0; i < CHARSET_WORDS; i++)
        set->words[i] = UINT32_MAX;
}

void charset_add(Charset *set, int c) {
    set->words[c / WORD_BITS] |= (uint32_t)1 << (c % WORD_BITS);
}

void charset_remove(Charset *set, int c) {
    set->words[c / WORD_BITS] &= ~((uint32_t)1 << (c % WORD_BITS));
}

void charset_add_range(Charset *set, int first, int last) {
    for (int c = first; c <= last; c++)
        charset_add(set, c);
}

bool charset_has(const Charset *set, int c) {
    return (set->words[c / WORD_BITS] >> (c % WORD_BITS) & 1) != 0;
}

void charset_unite(Charset *set, const Charset *other) {
    for (int i = 0; i < CHARSET_WORDS; i++)
        set->words[i] |= other->words[i];
}

void charset_intersect(Charset *set, const Charset *other) {
    for (int i = 0; i < CHARSET_WORDS; i++)
        set->words[i] &= other->words[i];
}

void charset_invert(Charset *set) {
    for (int i = 0; i < CHARSET_WORDS; i++)
        set->words[i] = ~set->words[i];
}

bool charset_equal(const Charset *a, const Charset *b) {
    for (int i = 0; i < CHARSET_WORDS; i++) {
        if (a->words[i] != b->words[i])
            return false;
    }
    return true;
}

bool charset_is_empty(const Charset *set) {
    for (int i = 0; i < CHARSET_WORDS; i++) {
        if (set->words[i] != 0)
            return false;
    }
    return true;
}

int charset_count(const Charset *set) {
    int count = 0;
    for (int c = 0; c < CHARACTERS; c++) {
        if (charset_has(set, c))
            count++;
    }
    return count;
}

int charset_first(const Charset *set) {
    for (int c = 0; c < CHARACTERS; c++) {
        if (charset_has(set, c))
            return c;
    }
    return -1;
}

int other_case(int c) {
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 'A';
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 'a';
    return c;
}

void charset_fold_case(Charset *set) {
    Charset folded = *set;
    for (int c = 0; c < CHARACTERS; c++) {
        if (charset_has(set, c))
            charset_add(&folded, other_case(c));
    }
    *set = folded;
}

/* ---- Classes ---- */

static void add_upper(Charset *set) {
    charset_add_range(set, 'A', 'Z');
}

static void add_lower(Charset *set) {
    charset_add_range(set, 'a', 'z');
}

static void add_digit(Charset *set) {
    charset_add_range(set, '0', '9');
}

static void add_alpha(Charset *set) {
    add_upper(set);
    add_lower(set);
}

static void add_alnum(Charset *set) {
    add_alpha(set);
    add_digit(set);
}

static void add_blank(Charset *set) {
    charset_add(set, ' ');
    charset_add(set, '\t');
}

static void add_space(Charset *set) {
    add_blank(set);
    charset_add_range(set, '\n', '\r');
}

static void add_xdigit(Charset *set) {
    add_digit(set);
    charset_add_range(set, 'a', 'f');
    charset_add_range(set, 'A', 'F');
}

static void add_graph(Charset *set) {
    charset_add_range(set, '!', '~');
}

static void add_print(Charset *set) {
    charset_add_range(set, ' ', '~');
}

static void add_punct(Charset *set) {
    charset_add_range(set, '!', '/');
    charset_add_range(set, ':', '@');
    charset_add_range(set, '[', '`');
    charset_add_range(set, '{', '~');
}

static void add_cntrl(Charset *set) {
    charset_add_range(set, 0, 31);
    charset_add(set, 127);
}

static const struct {
    const char *name;
    void (*add)(Charset *set);
} classes[] = {
    {"alpha", add_alpha}, {"digit", add_digit},   {"alnum", add_alnum}, {"upper", add_upper}, {"lower", add_lower}, {"space", add_space},
    {"blank", add_blank}, {"xdigit", add_xdigit}, {"punct", add_punct}, {"graph", add_graph}, {"print", add_print}, {"cntrl", add_cntrl},
};

bool charset_add_class(Charset *set, const char *name, int length) {
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if ((int)strlen(classes[i].name) == length && strncmp(classes[i].name, name, (size_t)length) == 0) {
            classes[i].add(set);
            return true;
        }
    }
    return false;
}
