/* The lines of a file or of standard input. */
#ifndef INPUT_H
#define INPUT_H

#include <stdio.h>

#include "util.h"

enum { INPUT_BLOCK = 4096 };

typedef struct {
    FILE *file;
    char block[INPUT_BLOCK];
    size_t block_length;
    size_t block_position;
    bool is_at_end;
    Buffer line;      /* without its newline */
    long line_number; /* from 1 */
    long offset;      /* of the line's first byte */
    long next_offset;
    bool has_newline;
} Input;

/* "-" is standard input; false if the file cannot be read. */
bool input_open(Input *input, const char *name);
void input_close(Input *input);
/* Reads the next line; false if there is none. */
bool input_next(Input *input);

#endif
