/* Splits a text into tokens: words are collected up to a blank or a symbol and then classified. */
int tokens(const char *text, int *code, int most);

enum { ERROR, KEYWORD, SYMBOL, NAME, NUMBER, CHARACTER, STRING };

static int equal(const char *word, int length, const char *other) {
    int i = 0;
    while (i < length && other[i] && word[i] == other[i])
        i++;
    return i == length && other[i] == 0;
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

static int is_symbol(char c) {
    return c == '(' || c == ')' || c == '[' || c == ']' || c == '\'' || c == '`' || c == ',';
}

static int classify(const char *word, int length) {
    static const char *const keywords[] = {"and", "or", "if", "xor", "lambda"};
    for (int i = 0; i < 5; i++) {
        if (equal(word, length, keywords[i]))
            return KEYWORD;
    }
    if (equal(word, length, "=>"))
        return SYMBOL;
    if (is_digit(word[0])) {
        for (int i = 0; i < length; i++) {
            if (!is_digit(word[i]))
                return ERROR;
        }
        return NUMBER;
    }
    if (!is_letter(word[0]))
        return ERROR;
    for (int i = 1; i < length; i++) {
        if (!is_letter(word[i]) && !is_digit(word[i]))
            return ERROR;
    }
    return NAME;
}

int tokens(const char *text, int *code, int most) {
    int count = 0;
    int at = 0;
    while (text[at] && count < most) {
        char c = text[at];
        if (is_blank(c)) {
            at++;
        } else if (c == ';') {
            while (text[at] && text[at] != '\n')
                at++;
        } else if (is_symbol(c)) {
            code[count++] = SYMBOL;
            at++;
        } else if (c == '"') {
            int end = at + 1;
            while (text[end] && text[end] != '"' && text[end] != '\n')
                end++;
            code[count++] = text[end] == '"' ? STRING : ERROR;
            at = text[end] == '"' ? end + 1 : end;
        } else {
            int from = at;
            while (text[at] && !is_blank(text[at]) && !is_symbol(text[at]) && text[at] != ';' && text[at] != '"')
                at++;
            if (c == '#')
                code[count++] = at - from == 2 ? CHARACTER : ERROR;
            else
                code[count++] = classify(text + from, at - from);
        }
    }
    return count;
}
