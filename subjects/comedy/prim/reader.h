/* A stream of numbers with a sticky error. */
#ifndef READER_H
#define READER_H

#include <stdbool.h>

typedef struct {
    const int *numbers;
    int count;
    int next;
    bool failed;
} Reader;

void reader_open(Reader *reader, const int *numbers, int count);
bool reader_at_end(const Reader *reader);
/* The next number; 0 and an error if there is none or if it lies outside the range. */
int reader_next(Reader *reader, int low, int high);
bool reader_failed(const Reader *reader);

#endif
