/* Patterns: how they are written, and what they are translated to.
 *
 *     c        the character c            %        the beginning of a line, first in the pattern
 *     ?        any character but newline  $        the end of a line, last in the pattern
 *     [abc]    one of these               [^abc]   any other character but newline
 *     [a-z]    a range, if both ends are letters or digits and the first is not the greater one
 *     @c       c without its special meaning; @n newline, @t tab
 *     x*       any number of x, which is none of %, $ and x*
 */
#ifndef PATTERN_H
#define PATTERN_H

#include "text.h"

enum { MOST_ELEMENTS = 50, MOST_MEMBERS = 400 };
enum { ANY = '?', LINE_BEGIN = '%', LINE_END = '$', CLOSURE = '*', CLASS_BEGIN = '[', CLASS_END = ']', NEGATE = '^', DASH = '-' };

typedef enum { CHARACTER, ANY_CHARACTER, IN_CLASS, NOT_IN_CLASS, AT_BEGIN, AT_END } Kind;

typedef struct {
    Kind kind;
    bool repeated;    /* any number of times */
    char character;   /* of a CHARACTER */
    int first_member; /* of a class: its part of `members` */
    int member_count;
} Element;

typedef struct {
    int count;
    Element elements[MOST_ELEMENTS];
    int member_count;
    char members[MOST_MEMBERS];
} Pattern;

typedef enum { LEGAL, EMPTY, CLASS_NOT_CLOSED, NOTHING_TO_REPEAT, TOO_MANY_ELEMENTS, TOO_MANY_MEMBERS } PatternStatus;

/* Translates a pattern; *place is how far it was understood. */
PatternStatus make_pattern(const char *source, Pattern *pattern, int *place);
/* What is wrong, for the user. */
const char *describe_pattern_status(PatternStatus status);

#endif
