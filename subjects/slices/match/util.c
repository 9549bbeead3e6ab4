#include "util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_TROUBLE = 2, SMALLEST_BUFFER = 32 };

void fail(const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "match: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_TROUBLE);
}

void *allocate(size_t size) {
    void *block = calloc(1, size > 0 ? size : 1);
    if (block == NULL)
        fail("out of memory");
    return block;
}

void *reallocate(void *block, size_t size) {
    void *larger = realloc(block, size > 0 ? size : 1);
    if (larger == NULL)
        fail("out of memory");
    return larger;
}

char *copy_text(const char *text, size_t length) {
    char *copy = allocate(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void buffer_init(Buffer *buffer) {
    buffer->capacity = SMALLEST_BUFFER;
    buffer->data = allocate(buffer->capacity);
    buffer->length = 0;
    buffer->data[0] = '\0';
}

void buffer_clear(Buffer *buffer) {
    buffer->length = 0;
    buffer->data[0] = '\0';
}

void buffer_free(Buffer *buffer) {
    free(buffer->data);
    buffer->data = NULL;
    buffer->length = 0;
    buffer->capacity = 0;
}

/* Makes room for so many characters more, and the zero byte. */
static void reserve(Buffer *buffer, size_t more) {
    size_t needed = buffer->length + more + 1;
    size_t capacity = buffer->capacity;
    if (needed <= capacity)
        return;
    while (capacity < needed)
        capacity *= 2;
    buffer->data = reallocate(buffer->data, capacity);
    buffer->capacity = capacity;
}

void buffer_add(Buffer *buffer, char c) {
    reserve(buffer, 1);
    buffer->data[buffer->length] = c;
    buffer->length++;
    buffer->data[buffer->length] = '\0';
}

void buffer_append(Buffer *buffer, const char *text, size_t length) {
    reserve(buffer, length);
    memcpy(buffer->data + buffer->length, text, length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

char *buffer_take(Buffer *buffer) {
    char *text = copy_text(buffer->data, buffer->length);
    buffer_clear(buffer);
    return text;
}

bool is_word_character(int c) {
    if (c >= 'a' && c <= 'z')
        return true;
    if (c >= 'A' && c <= 'Z')
        return true;
    if (c >= '0' && c <= '9')
        return true;
    return c == '_';
}
