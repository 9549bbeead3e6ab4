/* Text in buffers of fixed size, characters and their escapes, lines of standard input. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>

enum { MOST_TEXT = 100 };

typedef struct {
    int length;
    char characters[MOST_TEXT + 1]; /* ended by a zero byte */
} Text;

enum { ESCAPE = '@', NEWLINE = '\n', TAB = '\t', END = '\0' };

void text_clear(Text *text);
/* False if the text is full. */
bool text_add(Text *text, char c);

bool is_lower(char c);
bool is_upper(char c);
bool is_digit(char c);
bool is_alphanumeric(char c);

/* The character that stands at source[*i], perhaps escaped; *i is then its last position. */
char unescape(const char *source, int *i);

typedef enum { LINE_READ, LINE_TOO_LONG, NO_MORE_LINES } LineStatus;

/* The next line with its newline; the last one may have none. */
LineStatus read_line(Text *line);
void put_character(char c);

#endif
