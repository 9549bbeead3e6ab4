#include "matcher.h"

#include "parser.h"
#include "simplify.h"
#include "util.h"

/* The pattern as a whole line, or as a whole word. */
static Node *wrap(Forest *forest, Node *node, const Options *options) {
    if (options->whole_lines) {
        node = new_concat(forest, new_assertion(forest, AT_LINE_BEGIN), node);
        return new_concat(forest, node, new_assertion(forest, AT_LINE_END));
    }
    if (options->whole_words) {
        node = new_concat(forest, new_assertion(forest, NOT_BEHIND_WORD), node);
        return new_concat(forest, node, new_assertion(forest, NOT_BEFORE_WORD));
    }
    return node;
}

static Node *parse(Forest *forest, const char *pattern, size_t length, const Options *options) {
    if (options->fixed)
        return parse_fixed(forest, pattern, (int)length, options->ignore_case);
    const char *error = NULL;
    Node *node = parse_regex(forest, pattern, (int)length, options->ignore_case, &error);
    if (node == NULL)
        fail("%s: %s", pattern, error);
    return node;
}

void matcher_init(Matcher *matcher, const Options *options) {
    Node *all = NULL;
    forest_init(&matcher->forest);
    matcher->never = false;
    matcher->tried = 0;
    matcher->rejected = 0;
    for (int i = 0; i < options->pattern_count; i++) {
        const Pattern *pattern = &options->patterns[i];
        Node *node = parse(&matcher->forest, pattern->text, pattern->length, options);
        all = all == NULL ? node : new_or(&matcher->forest, all, node);
    }
    if (all == NULL) {
        matcher->never = true;
        return;
    }
    all = simplify(&matcher->forest, wrap(&matcher->forest, all, options));
    literal_find(&matcher->literal, all);
    nfa_build(&matcher->nfa, all);
    dfa_init(&matcher->search, &matcher->nfa, true);
    dfa_init(&matcher->anchored, &matcher->nfa, false);
}

void matcher_free(Matcher *matcher) {
    if (!matcher->never) {
        dfa_free(&matcher->search);
        dfa_free(&matcher->anchored);
        nfa_free(&matcher->nfa);
    }
    forest_free(&matcher->forest);
}

bool matcher_matches(Matcher *matcher, const char *line, size_t length) {
    if (matcher->never)
        return false;
    if (!literal_occurs(&matcher->literal, line, length)) {
        matcher->rejected++;
        return false;
    }
    if (matcher->literal.is_whole)
        return true;
    matcher->tried++;
    return dfa_finds(&matcher->search, line, length);
}

bool matcher_find(Matcher *matcher, const char *line, size_t length, size_t from, size_t *begin, size_t *end) {
    if (matcher->never)
        return false;
    for (size_t at = from; at <= length; at++) {
        long longest = dfa_longest(&matcher->anchored, line, length, at);
        if (longest >= 0) {
            *begin = at;
            *end = (size_t)longest;
            return true;
        }
    }
    return false;
}
