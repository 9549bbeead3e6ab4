#include "literal.h"

#include <string.h>

/* What is known of all matches of a tree: the text of an exact one, how they begin and end, and what they have in them. */
typedef struct {
    bool is_exact;
    char exact[MOST_LITERAL + 1];
    char begin[MOST_LITERAL + 1];
    char end[MOST_LITERAL + 1];
    char inside[MOST_LITERAL + 1];
} Facts;

static int length_of(const char *text) {
    return (int)strlen(text);
}

/* Puts two texts together; false if there is no room. */
static bool join(char *result, const char *left, const char *right) {
    char joined[2 * MOST_LITERAL + 1];
    strcpy(joined, left);
    strcat(joined, right);
    if (length_of(joined) > MOST_LITERAL)
        return false;
    strcpy(result, joined);
    return true;
}

static void keep_longer(char *text, const char *other) {
    if (length_of(other) > length_of(text))
        strcpy(text, other);
}

static void know_nothing(Facts *facts) {
    memset(facts, 0, sizeof *facts);
}

static void know_exactly(Facts *facts, const char *text) {
    facts->is_exact = true;
    strcpy(facts->exact, text);
    strcpy(facts->begin, text);
    strcpy(facts->end, text);
    strcpy(facts->inside, text);
}

static void common_begin(char *result, const char *a, const char *b) {
    int i = 0;
    while (a[i] != '\0' && a[i] == b[i])
        i++;
    char kept[MOST_LITERAL + 1];
    memcpy(kept, a, (size_t)i);
    kept[i] = '\0';
    strcpy(result, kept);
}

static void common_end(char *result, const char *a, const char *b) {
    int i = length_of(a);
    int j = length_of(b);
    while (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
        i--;
        j--;
    }
    char kept[MOST_LITERAL + 1];
    strcpy(kept, a + i);
    strcpy(result, kept);
}

/* The longest text that is in both. */
static void common_inside(char *result, const char *a, const char *b) {
    char best[MOST_LITERAL + 1] = "";
    for (int i = 0; a[i] != '\0'; i++) {
        for (int j = 0; b[j] != '\0'; j++) {
            char common[MOST_LITERAL + 1];
            common_begin(common, a + i, b + j);
            keep_longer(best, common);
        }
    }
    strcpy(result, best);
}

static void find_facts(const Node *node, Facts *facts);

static void facts_of_set(const Node *node, Facts *facts) {
    if (charset_count(&node->set) != 1 || charset_has(&node->set, '\0')) {
        know_nothing(facts);
        return;
    }
    char text[2] = {(char)charset_first(&node->set), '\0'};
    know_exactly(facts, text);
}

static void facts_of_concat(const Node *node, Facts *facts) {
    Facts left, right;
    char middle[MOST_LITERAL + 1];
    find_facts(node->left, &left);
    find_facts(node->right, &right);
    know_nothing(facts);

    strcpy(facts->inside, left.inside);
    keep_longer(facts->inside, right.inside);
    if (join(middle, left.end, right.begin))
        keep_longer(facts->inside, middle);

    strcpy(facts->begin, left.begin);
    if (left.is_exact)
        join(facts->begin, left.exact, right.begin);
    strcpy(facts->end, right.end);
    if (right.is_exact)
        join(facts->end, left.end, right.exact);

    if (left.is_exact && right.is_exact)
        facts->is_exact = join(facts->exact, left.exact, right.exact);
    keep_longer(facts->inside, facts->begin);
    keep_longer(facts->inside, facts->end);
}

static void facts_of_or(const Node *node, Facts *facts) {
    Facts left, right;
    find_facts(node->left, &left);
    find_facts(node->right, &right);
    if (left.is_exact && right.is_exact && strcmp(left.exact, right.exact) == 0) {
        *facts = left;
        return;
    }
    know_nothing(facts);
    common_begin(facts->begin, left.begin, right.begin);
    common_end(facts->end, left.end, right.end);
    common_inside(facts->inside, left.inside, right.inside);
}

static void facts_of_repeat(const Node *node, Facts *facts) {
    if (node->least == 0) {
        know_nothing(facts);
        return;
    }
    find_facts(node->left, facts);
    facts->is_exact = false;
}

static void find_facts(const Node *node, Facts *facts) {
    switch (node->kind) {
    case NODE_EMPTY:
        know_nothing(facts);
        know_exactly(facts, "");
        return;
    case NODE_ASSERT:
        /* It takes no character, but asks for more than the empty text. */
        know_nothing(facts);
        know_exactly(facts, "");
        return;
    case NODE_SET:
        facts_of_set(node, facts);
        return;
    case NODE_CONCAT:
        facts_of_concat(node, facts);
        return;
    case NODE_OR:
        facts_of_or(node, facts);
        return;
    case NODE_REPEAT:
        facts_of_repeat(node, facts);
        return;
    }
}

/* How far the text may be moved when its last character stands over this one. */
static void find_shifts(Literal *literal) {
    for (int c = 0; c < CHARACTERS; c++)
        literal->shift[c] = (unsigned char)literal->length;
    for (int i = 0; i + 1 < literal->length; i++)
        literal->shift[(unsigned char)literal->text[i]] = (unsigned char)(literal->length - 1 - i);
}

void literal_find(Literal *literal, const Node *node) {
    Facts facts;
    find_facts(node, &facts);
    strcpy(literal->text, facts.inside);
    literal->length = length_of(literal->text);
    literal->is_whole = facts.is_exact && !has_assertions(node) && strcmp(facts.exact, facts.inside) == 0;
    find_shifts(literal);
}

bool literal_occurs(const Literal *literal, const char *text, size_t length) {
    size_t needed = (size_t)literal->length;
    if (needed == 0)
        return true;
    size_t end = needed;
    while (end <= length) {
        unsigned char last = (unsigned char)text[end - 1];
        if (last == (unsigned char)literal->text[needed - 1]) {
            if (memcmp(text + end - needed, literal->text, needed) == 0)
                return true;
        }
        end += literal->shift[last];
    }
    return false;
}
