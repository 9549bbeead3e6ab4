/* replace PATTERN [REPLACEMENT]: copies standard input to standard output with every match of the pattern replaced, or removed.
 *
 * Written after the public description of the program of this name in the Siemens suite (Hutchins et al., 1994), which goes back to
 * Kernighan and Plauger, Software Tools. */
#include <stdio.h>

#include "match.h"
#include "pattern.h"
#include "substitute.h"
#include "text.h"

enum { DONE = 0, BAD_USAGE = 1, BAD_PATTERN = 2, BAD_REPLACEMENT = 3, BAD_LINE = 4 };

/* Is there nothing left to match: behind the newline, or behind the end of a line that has none? */
static bool is_behind_line(const char *line, int at) {
    if (at == 0)
        return false;
    if (line[at - 1] == END)
        return true;
    return line[at - 1] == NEWLINE && line[at] == END;
}

/* Copies a line with the leftmost matches replaced; an empty match right behind another match does not count. */
static void replace_in_line(const char *line, const Pattern *pattern, const Replacement *replacement) {
    int at = 0;
    int last_end = NO_MATCH;
    while (!is_behind_line(line, at)) {
        int end = match_at(pattern, line, at);
        if (end != NO_MATCH && end != last_end) {
            put_replacement(replacement, line, at, end);
            last_end = end;
        }
        if (end == NO_MATCH || end == at) {
            if (line[at] != END)
                put_character(line[at]);
            at++;
        } else {
            at = end;
        }
    }
}

static int replace_all(const Pattern *pattern, const Replacement *replacement) {
    Text line;
    LineStatus status = read_line(&line);
    while (status == LINE_READ) {
        replace_in_line(line.characters, pattern, replacement);
        status = read_line(&line);
    }
    if (status == LINE_TOO_LONG) {
        fprintf(stderr, "replace: line too long\n");
        return BAD_LINE;
    }
    return DONE;
}

/* The pattern with a mark below the place where it went wrong. */
static void complain_about_pattern(const char *source, PatternStatus status, int place) {
    fprintf(stderr, "replace: illegal pattern: %s\n", describe_pattern_status(status));
    fprintf(stderr, "    %s\n    ", source);
    for (int i = 0; i < place; i++) {
        if (source[i] == TAB)
            fputc(TAB, stderr);
        else
            fputc(' ', stderr);
    }
    fprintf(stderr, "^\n");
}

int main(int argc, char **argv) {
    static Pattern pattern;
    static Replacement replacement;
    const char *source = "";
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: replace PATTERN [REPLACEMENT]\n");
        return BAD_USAGE;
    }
    int place;
    PatternStatus status = make_pattern(argv[1], &pattern, &place);
    if (status != LEGAL) {
        complain_about_pattern(argv[1], status, place);
        return BAD_PATTERN;
    }
    if (argc == 3)
        source = argv[2];
    if (!make_replacement(source, &replacement)) {
        fprintf(stderr, "replace: the replacement is too long\n");
        return BAD_REPLACEMENT;
    }
    return replace_all(&pattern, &replacement);
}
