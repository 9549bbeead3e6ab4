/* Regular expressions as trees. */
#ifndef TREE_H
#define TREE_H

#include "charset.h"
#include "lexer.h"

typedef enum { NODE_EMPTY, NODE_SET, NODE_ASSERT, NODE_CONCAT, NODE_OR, NODE_REPEAT } NodeKind;

typedef struct Node {
    NodeKind kind;
    Charset set;
    Assertion assertion;
    int least, most;
    struct Node *left;  /* the only child of a repetition */
    struct Node *right;
} Node;

/* All nodes of an expression; they are freed together. */
typedef struct {
    Node **nodes;
    int count;
    int capacity;
} Forest;

enum { MOST_NODES = 50000 };

void forest_init(Forest *forest);
void forest_free(Forest *forest);

Node *new_empty(Forest *forest);
Node *new_set(Forest *forest, const Charset *set);
Node *new_character(Forest *forest, int c, bool ignore_case);
Node *new_assertion(Forest *forest, Assertion assertion);
Node *new_concat(Forest *forest, Node *left, Node *right);
Node *new_or(Forest *forest, Node *left, Node *right);
Node *new_repeat(Forest *forest, Node *child, int least, int most);
Node *copy_tree(Forest *forest, const Node *node);

bool trees_equal(const Node *a, const Node *b);
/* Can it match the empty text (if its assertions hold)? */
bool is_nullable(const Node *node);
bool has_assertions(const Node *node);
int tree_size(const Node *node);

#endif
