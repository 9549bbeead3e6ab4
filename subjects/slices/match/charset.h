/* Sets of the 256 byte values. */
#ifndef CHARSET_H
#define CHARSET_H

#include <stdbool.h>
#include <stdint.h>

enum { CHARSET_WORDS = 8, CHARACTERS = 256 };

typedef struct {
    uint32_t words[CHARSET_WORDS];
} Charset;

void charset_clear(Charset *set);
void charset_fill(Charset *set);
void charset_add(Charset *set, int c);
void charset_remove(Charset *set, int c);
void charset_add_range(Charset *set, int first, int last);
bool charset_has(const Charset *set, int c);

void charset_unite(Charset *set, const Charset *other);
void charset_intersect(Charset *set, const Charset *other);
void charset_invert(Charset *set);

bool charset_equal(const Charset *a, const Charset *b);
bool charset_is_empty(const Charset *set);
int charset_count(const Charset *set);
/* The least member; -1 if there is none. */
int charset_first(const Charset *set);

/* With every letter also its other case. */
void charset_fold_case(Charset *set);
/* Adds the members of a class such as "alpha"; false if there is no class of this name. */
bool charset_add_class(Charset *set, const char *name, int length);

int other_case(int c);

#endif
