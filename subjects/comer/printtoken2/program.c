/* Splits a text into tokens with a small machine that looks at one character at a time. */
int tokens(const char *text, int *code, int most);

enum { ERROR, KEYWORD, SYMBOL, NAME, NUMBER, CHARACTER, STRING };
enum { START, IN_NAME, IN_NUMBER, IN_COMMENT, IN_STRING, IN_CHARACTER, IN_ERROR, IN_ARROW };

static const char *const words[] = {"and", "or", "if", "xor", "lambda", 0};

static int kind(char c) {
    if (c >= '0' && c <= '9')
        return 'd';
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return 'l';
    if (c == ' ' || c == '\t' || c == '\n' || c == 0)
        return 'b';
    if (c == '(' || c == ')' || c == '[' || c == ']' || c == '\'' || c == '`' || c == ',')
        return 's';
    return c;
}

static int ends_word(int k) {
    return k == 'b' || k == 's' || k == ';' || k == '"';
}

static int is_keyword(const char *from, const char *to) {
    for (int i = 0; words[i]; i++) {
        const char *a = from;
        const char *b = words[i];
        while (a < to && *b && *a == *b) {
            a++;
            b++;
        }
        if (a == to && *b == 0)
            return 1;
    }
    return 0;
}

static int begin(int k) {
    switch (k) {
    case 'l': return IN_NAME;
    case 'd': return IN_NUMBER;
    case ';': return IN_COMMENT;
    case '"': return IN_STRING;
    case '#': return IN_CHARACTER;
    case '=': return IN_ARROW;
    default: return IN_ERROR;
    }
}

int tokens(const char *text, int *code, int most) {
    int count = 0;
    int state = START;
    const char *from = text;
    for (const char *at = text; count < most; at++) {
        int k = kind(*at);
        switch (state) {
        case IN_NAME:
            if (ends_word(k))
                code[count++] = is_keyword(from, at) ? KEYWORD : NAME;
            else if (k != 'l' && k != 'd')
                state = IN_ERROR;
            break;
        case IN_NUMBER:
            if (ends_word(k))
                code[count++] = NUMBER;
            else if (k != 'd')
                state = IN_ERROR;
            break;
        case IN_CHARACTER:
            if (ends_word(k))
                code[count++] = at - from == 2 ? CHARACTER : ERROR;
            break;
        case IN_ARROW:
            if (ends_word(k))
                code[count++] = at - from == 2 && from[1] == '>' ? SYMBOL : ERROR;
            break;
        case IN_ERROR:
            if (ends_word(k))
                code[count++] = ERROR;
            break;
        case IN_COMMENT:
            if (*at == '\n')
                state = START;
            else if (*at == 0)
                return count;
            continue;
        case IN_STRING:
            if (*at == '"' || *at == '\n' || *at == 0) {
                code[count++] = *at == '"' ? STRING : ERROR;
                state = START;
            }
            if (*at == 0)
                return count;
            continue;
        default: break;
        }
        if (state != START && !ends_word(k))
            continue;
        if (*at == 0)
            return count;
        state = START;
        if (k == 's') {
            code[count++] = SYMBOL;
        } else if (k != 'b') {
            state = begin(k);
            from = at;
        }
    }
    return count;
}
