/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { WITHOUT_END = -1 };

typedef struct {
    char *text;
    size_t length;
} Pattern;

typedef enum { NAMES_BY_COUNT, NAMES_ALWAYS, NAMES_NEVER } Names;

typedef struct {
    Pattern *patterns;
    int pattern_count;
    char **files;
    int file_count;

    bool fixed;        /* -F */
    bool ignore_case;  /* -i */
    bool inverted;     /* -v */
    bool whole_words;  /* -w */
    bool whole_lines;  /* -x */

    bool count_only;          /* -c */
    bool files_with_matches;  /* -l */
    bool files_without_match; /* -L */
    bool quiet;               /* -q */
    bool only_matching;       /* -o */
    bool line_numbers;        /* -n */
    bool byte_offsets;        /* -b */
    bool no_messages;         /* -s */
    bool null_after_name;     /* -Z */
    Names names;              /* -H, -h */
    long most_lines;          /* -m */
    long context_before;      /* -B */
    long context_behind;      /* -A */
    bool help;
} Options;

void options_read(Options *options, int argc, char **argv);
void options_free(Options *options);
void print_help(void);

#endif
