/* Recursive descent:
 *
 *     alternation    = concatenation { "|" concatenation }
 *     concatenation  = { repetition }
 *     repetition     = atom { "*" | "+" | "?" | "{m,n}" }
 *     atom           = set | assertion | "(" alternation ")"
 */
#include "parser.h"

#include <stddef.h>

enum { DEEPEST = 200 };

typedef struct {
    Lexer lexer;
    Forest *forest;
    int depth; /* of open parentheses */
    const char *error;
} Parser;

static Node *parse_alternation(Parser *parser);

static void set_error(Parser *parser, const char *message) {
    if (parser->error == NULL)
        parser->error = message;
}

static Node *parse_group(Parser *parser) {
    if (parser->depth == DEEPEST) {
        set_error(parser, "too many parentheses");
        return NULL;
    }
    parser->depth++;
    lexer_next(&parser->lexer);
    Node *inner = parse_alternation(parser);
    if (inner == NULL)
        return NULL;
    if (parser->lexer.token.kind != TOKEN_CLOSE) {
        set_error(parser, "a parenthesis is not closed");
        return NULL;
    }
    parser->depth--;
    lexer_next(&parser->lexer);
    return inner;
}

static Node *parse_atom(Parser *parser) {
    Lexer *lexer = &parser->lexer;
    Node *node;
    switch (lexer->token.kind) {
    case TOKEN_SET:
        node = new_set(parser->forest, &lexer->token.set);
        lexer_next(lexer);
        return node;
    case TOKEN_ASSERT:
        node = new_assertion(parser->forest, lexer->token.assertion);
        lexer_next(lexer);
        return node;
    case TOKEN_OPEN:
        return parse_group(parser);
    case TOKEN_REPEAT:
        /* Nothing stands in front of it. */
        lexer_take_literally(lexer);
        node = new_set(parser->forest, &lexer->token.set);
        lexer_next(lexer);
        return node;
    default:
        set_error(parser, "something is missing");
        return NULL;
    }
}

static Node *parse_repetition(Parser *parser) {
    Node *node = parse_atom(parser);
    while (node != NULL && parser->lexer.token.kind == TOKEN_REPEAT) {
        node = new_repeat(parser->forest, node, parser->lexer.token.least, parser->lexer.token.most);
        lexer_next(&parser->lexer);
    }
    return node;
}

static bool ends_concatenation(const Parser *parser) {
    TokenKind kind = parser->lexer.token.kind;
    return kind == TOKEN_END || kind == TOKEN_OR || kind == TOKEN_CLOSE;
}

static Node *parse_concatenation(Parser *parser) {
    if (ends_concatenation(parser))
        return new_empty(parser->forest);
    Node *node = parse_repetition(parser);
    while (node != NULL && !ends_concatenation(parser)) {
        Node *next = parse_repetition(parser);
        if (next == NULL)
            return NULL;
        node = new_concat(parser->forest, node, next);
    }
    return node;
}

static Node *parse_alternation(Parser *parser) {
    Node *node = parse_concatenation(parser);
    while (node != NULL && parser->lexer.token.kind == TOKEN_OR) {
        lexer_next(&parser->lexer);
        Node *other = parse_concatenation(parser);
        if (other == NULL)
            return NULL;
        node = new_or(parser->forest, node, other);
    }
    return node;
}

Node *parse_regex(Forest *forest, const char *pattern, int length, bool ignore_case, const char **error) {
    Parser parser;
    parser.forest = forest;
    parser.depth = 0;
    parser.error = NULL;
    lexer_init(&parser.lexer, pattern, length, ignore_case);
    lexer_next(&parser.lexer);
    Node *node = parse_alternation(&parser);
    if (parser.lexer.error != NULL) {
        *error = parser.lexer.error;
        return NULL;
    }
    if (node != NULL && parser.lexer.token.kind == TOKEN_CLOSE) {
        set_error(&parser, "a parenthesis is not opened");
        node = NULL;
    }
    *error = parser.error;
    return node;
}

Node *parse_fixed(Forest *forest, const char *pattern, int length, bool ignore_case) {
    Node *all = NULL;
    Node *line = new_empty(forest);
    for (int i = 0; i <= length; i++) {
        if (i == length || pattern[i] == '\n') {
            all = all == NULL ? line : new_or(forest, all, line);
            line = new_empty(forest);
        } else {
            Node *character = new_character(forest, (unsigned char)pattern[i], ignore_case);
            line = line->kind == NODE_EMPTY ? character : new_concat(forest, line, character);
        }
    }
    return all;
}
