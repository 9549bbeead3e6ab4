/* What is printed: lines with their prefixes, lines around them, counts and names. */
#ifndef PRINTER_H
#define PRINTER_H

#include "input.h"
#include "matcher.h"
#include "options.h"

/* A line that may be printed if a match follows soon. */
typedef struct {
    char *text;
    size_t length;
    long number;
    long offset;
} KeptLine;

typedef struct {
    const Options *options;
    const char *name; /* of the file */
    bool with_name;
    KeptLine *kept; /* a ring of the last lines that were not printed */
    long kept_room;
    long kept_first;
    long kept_count;
    long last_printed;  /* its number; 0: none in this file */
    long pending;       /* lines still to be printed behind a match */
    bool printed_group; /* was a group printed, in this file or another? */
} Printer;

void printer_init(Printer *printer, const Options *options);
void printer_free(Printer *printer);
void printer_begin_file(Printer *printer, const char *name);

/* A line that was chosen, with its matches if only those are wanted. */
void printer_add_match(Printer *printer, const Input *input, Matcher *matcher);
/* A line that was not. */
void printer_add_other(Printer *printer, const Input *input);
void printer_end_file(Printer *printer, long count);

#endif
