#include "tree.h"

#include <stdlib.h>

#include "util.h"

void forest_init(Forest *forest) {
    forest->capacity = 64;
    forest->count = 0;
    forest->nodes = allocate((size_t)forest->capacity * sizeof *forest->nodes);
}

void forest_free(Forest *forest) {
    for (int i = 0; i < forest->count; i++)
        free(forest->nodes[i]);
    free(forest->nodes);
    forest->nodes = NULL;
    forest->count = 0;
}

static Node *new_node(Forest *forest, NodeKind kind) {
    if (forest->count == MOST_NODES)
        fail("the pattern is too large");
    if (forest->count == forest->capacity) {
        forest->capacity *= 2;
        forest->nodes = reallocate(forest->nodes, (size_t)forest->capacity * sizeof *forest->nodes);
    }
    Node *node = allocate(sizeof *node);
    node->kind = kind;
    node->left = NULL;
    node->right = NULL;
    forest->nodes[forest->count] = node;
    forest->count++;
    return node;
}

Node *new_empty(Forest *forest) {
    return new_node(forest, NODE_EMPTY);
}

Node *new_set(Forest *forest, const Charset *set) {
    Node *node = new_node(forest, NODE_SET);
    node->set = *set;
    return node;
}

Node *new_character(Forest *forest, int c, bool ignore_case) {
    Charset set;
    charset_clear(&set);
    charset_add(&set, c);
    if (ignore_case)
        charset_fold_case(&set);
    return new_set(forest, &set);
}

Node *new_assertion(Forest *forest, Assertion assertion) {
    Node *node = new_node(forest, NODE_ASSERT);
    node->assertion = assertion;
    return node;
}

Node *new_concat(Forest *forest, Node *left, Node *right) {
    Node *node = new_node(forest, NODE_CONCAT);
    node->left = left;
    node->right = right;
    return node;
}

Node *new_or(Forest *forest, Node *left, Node *right) {
    Node *node = new_node(forest, NODE_OR);
    node->left = left;
    node->right = right;
    return node;
}

Node *new_repeat(Forest *forest, Node *child, int least, int most) {
    Node *node = new_node(forest, NODE_REPEAT);
    node->left = child;
    node->least = least;
    node->most = most;
    return node;
}

Node *copy_tree(Forest *forest, const Node *node) {
    if (node == NULL)
        return NULL;
    Node *copy = new_node(forest, node->kind);
    copy->set = node->set;
    copy->assertion = node->assertion;
    copy->least = node->least;
    copy->most = node->most;
    copy->left = copy_tree(forest, node->left);
    copy->right = copy_tree(forest, node->right);
    return copy;
}

bool trees_equal(const Node *a, const Node *b) {
    if (a == b)
        return true;
    if (a == NULL || b == NULL)
        return false;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case NODE_EMPTY:
        return true;
    case NODE_SET:
        return charset_equal(&a->set, &b->set);
    case NODE_ASSERT:
        return a->assertion == b->assertion;
    case NODE_REPEAT:
        if (a->least != b->least || a->most != b->most)
            return false;
        return trees_equal(a->left, b->left);
    case NODE_CONCAT:
    case NODE_OR:
        return trees_equal(a->left, b->left) && trees_equal(a->right, b->right);
    }
    return false;
}

bool is_nullable(const Node *node) {
    switch (node->kind) {
    case NODE_EMPTY:
    case NODE_ASSERT:
        return true;
    case NODE_SET:
        return false;
    case NODE_CONCAT:
        return is_nullable(node->left) && is_nullable(node->right);
    case NODE_OR:
        return is_nullable(node->left) || is_nullable(node->right);
    case NODE_REPEAT:
        return node->least == 0 || is_nullable(node->left);
    }
    return false;
}

bool has_assertions(const Node *node) {
    if (node == NULL)
        return false;
    if (node->kind == NODE_ASSERT)
        return true;
    return has_assertions(node->left) || has_assertions(node->right);
}

int tree_size(const Node *node) {
    if (node == NULL)
        return 0;
    return 1 + tree_size(node->left) + tree_size(node->right);
}
