#include "text.h"

#include <stdio.h>

void text_clear(Text *text) {
    text->length = 0;
    text->characters[0] = END;
}

bool text_add(Text *text, char c) {
    if (text->length >= MOST_TEXT)
        return false;
    text->characters[text->length] = c;
    text->length++;
    text->characters[text->length] = END;
    return true;
}

bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_alphanumeric(char c) {
    if (is_lower(c))
        return true;
    if (is_upper(c))
        return true;
    return is_digit(c);
}

char unescape(const char *source, int *i) {
    if (source[*i] != ESCAPE)
        return source[*i];
    if (source[*i + 1] == END)
        return ESCAPE; /* at the end it stands for itself */
    *i = *i + 1;
    if (source[*i] == 'n')
        return NEWLINE;
    if (source[*i] == 't')
        return TAB;
    return source[*i];
}

LineStatus read_line(Text *line) {
    text_clear(line);
    int c = getchar();
    while (c != EOF) {
        if (!text_add(line, (char)c))
            return LINE_TOO_LONG;
        if (c == NEWLINE)
            return LINE_READ;
        c = getchar();
    }
    if (line->length == 0)
        return NO_MORE_LINES;
    return LINE_READ;
}

void put_character(char c) {
    putchar(c);
}
