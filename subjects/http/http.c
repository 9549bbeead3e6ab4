#include "http.h"

/* -DFAULTY repeats a constant: a tab is no white space any more. */
static bool is_white_space(char c) {
#ifdef FAULTY
    return c == ' ' || c == ' ';
#else
    return c == ' ' || c == '\t';
#endif
}

static bool is_end(char c) {
    return c == 0 || c == '\r' || c == '\n';
}

static const char *skip_white_space(const char *p) {
    while (is_white_space(*p))
        p++;
    return p;
}

static bool is_method_character(char c) {
    return (c >= 'A' && c <= 'Z') || c == '-';
}

/* Copies a word of at most `most` characters; where it ends, or null if it is too long. */
static const char *read_word(const char *p, char *word, int most) {
    int length = 0;
    while (!is_end(*p) && !is_white_space(*p)) {
        if (length == most)
            return 0;
        word[length++] = *p++;
    }
    word[length] = 0;
    return p;
}

static bool is_method(const char *word) {
    for (const char *p = word; *p; p++)
        if (!is_method_character(*p))
            return false;
    return *word != 0;
}

static bool is_target(const char *word) {
    return word[0] == '/' || (word[0] == '*' && word[1] == 0);
}

/* "HTTP/", a digit, a point, a digit. */
static const char *read_version(const char *p, int *major, int *minor) {
    static const char name[] = "HTTP/";
    for (const char *q = name; *q; q++)
        if (*p++ != *q)
            return 0;
    if (*p < '0' || *p > '9')
        return 0;
    *major = *p++ - '0';
    if (*p++ != '.')
        return 0;
    if (*p < '0' || *p > '9')
        return 0;
    *minor = *p++ - '0';
    return p;
}

Request read_request_line(const char *line) {
    Request request = {.status = REQUEST_OK};
    const char *p = skip_white_space(line);

    p = read_word(p, request.method, MOST_METHOD);
    if (!p) {
        request.status = TOO_LONG;
        return request;
    }
    if (!is_method(request.method)) {
        request.status = NO_METHOD;
        return request;
    }

    p = read_word(skip_white_space(p), request.target, MOST_TARGET);
    if (!p) {
        request.status = TOO_LONG;
        return request;
    }
    if (!is_target(request.target)) {
        request.status = NO_TARGET;
        return request;
    }

    p = skip_white_space(p);
    if (is_end(*p)) {
        request.status = NO_VERSION;
        return request;
    }
    p = read_version(p, &request.major, &request.minor);
    if (!p) {
        request.status = BAD_VERSION;
        return request;
    }
    if (!is_end(*skip_white_space(p)))
        request.status = TRAILING_TEXT;
    return request;
}
