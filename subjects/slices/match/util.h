/* Memory, growing text, and the end of the program when something is wrong. */
#ifndef UTIL_H
#define UTIL_H

#include <stdbool.h>
#include <stddef.h>

/* Ends the program with a message and the exit code 2. */
_Noreturn void fail(const char *format, ...);

void *allocate(size_t size);
void *reallocate(void *block, size_t size);
char *copy_text(const char *text, size_t length);

/* Text that grows; its data always end with a zero byte. */
typedef struct {
    char *data;
    size_t length;
    size_t capacity;
} Buffer;

void buffer_init(Buffer *buffer);
void buffer_clear(Buffer *buffer);
void buffer_free(Buffer *buffer);
void buffer_add(Buffer *buffer, char c);
void buffer_append(Buffer *buffer, const char *text, size_t length);
/* The buffer's text now belongs to the caller; the buffer is empty. */
char *buffer_take(Buffer *buffer);

bool is_word_character(int c);

#endif
