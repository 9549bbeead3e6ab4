#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../common/comer.h"

/* Codes of tokens: 1 word that is a keyword, 2 symbol, 3 name, 4 number, 5 character, 6 string, 0 error. */
int tokens(const char *text, int *code, int most);

enum { KEYWORD, KEYWORD_AT, IDENTIFIER, IDENTIFIER_AT, NUMBER, NUMBER_AT, SPECIAL, SPECIAL_VALUE, SPECIAL_AT, REPEATED, UPPER };

static const char *keywords[] = {"and", "or", "if", "xor", "lambda", "=>", "(", ")", "[", "]", "'", "`", ","};
static const char *names[] = {"test", "test15", "AND", "IF3", "lambda7", "X15or", "test\t", "te?st", "test.", "15or"};
static const char *values[] = {"", "te #st", "te ;st", "te \"st", "te#st", "te;st", "te\"st", "and", "test", "te?st", "770", "test\ttest", "test ("};
static const char *marks[] = {";", "#", "\""};

/* The pieces in the order of their places, each on a line of its own. */
static void compose(const double *test, char *text) {
    text[0] = 0;
    for (int at = 1; at <= 3; at++) {
        if ((int)test[KEYWORD_AT] == at)
            sprintf(text + strlen(text), "%s\n", keywords[(int)test[KEYWORD]]);
        if ((int)test[IDENTIFIER_AT] == at)
            sprintf(text + strlen(text), "%s\n", names[(int)test[IDENTIFIER]]);
        if ((int)test[NUMBER_AT] == at)
            sprintf(text + strlen(text), "%d\n", (int)test[NUMBER]);
        if ((int)test[SPECIAL_AT] == at)
            sprintf(text + strlen(text), "%s%s%s\n", marks[(int)test[SPECIAL]], values[(int)test[SPECIAL_VALUE]], (int)test[SPECIAL] == 2 ? "\"" : "");
    }
    if (test[REPEATED] > 0) {
        size_t length = strlen(text);
        memmove(text + length, text, length + 1);
        text[2 * length] = 0;
    }
    if (test[UPPER] > 0)
        for (char *c = text; *c; c++)
            *c = (char)toupper((unsigned char)*c);
}

void run(const double *test, Output *output) {
    char text[512];
    int code[256];
    compose(test, text);
    int count = tokens(text, code, 256);
    for (int i = 0; i < count; i++)
        put(output, code[i]);
}

/* Upper case makes keywords names; everything else stays what it is, save characters and strings. */
RULE(upper_case) {
    UNUSED_TESTS;
    if (first->count != second->count)
        return 0;
    for (int i = 0; i < first->count; i++) {
        double expected = first->value[i] == 1 ? 3 : first->value[i];
        if (second->value[i] != expected)
            return 0;
    }
    return 1;
}

RULE(same_tokens) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"upper case", upper_case}, {"comment", same_tokens}, {"comment text", same_tokens})
