#include "reader.h"

void reader_open(Reader *reader, const int *numbers, int count) {
    reader->numbers = numbers;
    reader->count = count;
    reader->next = 0;
    reader->failed = false;
}

bool reader_at_end(const Reader *reader) {
    return reader->next >= reader->count;
}

int reader_next(Reader *reader, int low, int high) {
    if (reader->failed)
        return 0;
    if (reader_at_end(reader)) {
        reader->failed = true;
        return 0;
    }
    int number = reader->numbers[reader->next];
    reader->next++;
    if (number < low || number > high) {
        reader->failed = true;
        return 0;
    }
    return number;
}

bool reader_failed(const Reader *reader) {
    return reader->failed;
}
