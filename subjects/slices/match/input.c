#include "input.h"

#include <string.h>

bool input_open(Input *input, const char *name) {
    if (strcmp(name, "-") == 0)
        input->file = stdin;
    else
        input->file = fopen(name, "rb");
    if (input->file == NULL)
        return false;
    input->block_length = 0;
    input->block_position = 0;
    input->is_at_end = false;
    input->line_number = 0;
    input->offset = 0;
    input->next_offset = 0;
    input->has_newline = false;
    buffer_init(&input->line);
    return true;
}

void input_close(Input *input) {
    if (input->file != stdin)
        fclose(input->file);
    buffer_free(&input->line);
}

/* Makes sure that there is something in the block; false at the end of the file. */
static bool fill(Input *input) {
    if (input->block_position < input->block_length)
        return true;
    if (input->is_at_end)
        return false;
    input->block_length = fread(input->block, 1, sizeof input->block, input->file);
    input->block_position = 0;
    if (input->block_length == 0) {
        input->is_at_end = true;
        return false;
    }
    return true;
}

bool input_next(Input *input) {
    buffer_clear(&input->line);
    input->has_newline = false;
    if (!fill(input))
        return false;
    input->line_number++;
    input->offset = input->next_offset;
    while (fill(input)) {
        const char *rest = input->block + input->block_position;
        size_t available = input->block_length - input->block_position;
        const char *newline = memchr(rest, '\n', available);
        if (newline != NULL) {
            size_t length = (size_t)(newline - rest);
            buffer_append(&input->line, rest, length);
            input->block_position += length + 1;
            input->next_offset += (long)length + 1;
            input->has_newline = true;
            return true;
        }
        buffer_append(&input->line, rest, available);
        input->block_position = input->block_length;
        input->next_offset += (long)available;
    }
    return true;
}
