#include "simplify.h"

static bool is_star(const Node *node) {
    return node->kind == NODE_REPEAT && node->least == 0 && node->most == WITHOUT_LIMIT;
}

static bool is_plus(const Node *node) {
    return node->kind == NODE_REPEAT && node->least == 1 && node->most == WITHOUT_LIMIT;
}

static bool is_option(const Node *node) {
    return node->kind == NODE_REPEAT && node->least == 0 && node->most == 1;
}

static Node *simplify_or(Forest *forest, Node *left, Node *right);

/* ---- Concatenations ---- */

static Node *simplify_concat(Forest *forest, Node *left, Node *right) {
    if (left->kind == NODE_EMPTY)
        return right;
    if (right->kind == NODE_EMPTY)
        return left;
    /* x*x* is x*, as is x*x?; x*x+ and x+x* are x+. */
    if (left->kind == NODE_REPEAT && right->kind == NODE_REPEAT && trees_equal(left->left, right->left)) {
        if (is_star(left) && (is_star(right) || is_option(right)))
            return left;
        if (is_option(left) && is_star(right))
            return right;
        if (is_plus(left) && is_star(right))
            return left;
        if (is_star(left) && is_plus(right))
            return right;
    }
    return new_concat(forest, left, right);
}

/* ---- Alternatives ---- */

/* What a tree begins with, when it is taken for a concatenation. */
static Node *first_of(Node *node) {
    while (node->kind == NODE_CONCAT)
        node = node->left;
    return node;
}

/* The same concatenation without its first element. */
static Node *rest_of(Forest *forest, Node *node) {
    if (node->kind != NODE_CONCAT)
        return new_empty(forest);
    Node *rest = rest_of(forest, node->left);
    return simplify_concat(forest, rest, node->right);
}

static Node *make_optional(Forest *forest, Node *node) {
    if (is_star(node) || is_option(node))
        return node;
    if (is_plus(node))
        return new_repeat(forest, node->left, 0, WITHOUT_LIMIT);
    if (node->kind == NODE_EMPTY)
        return node;
    return new_repeat(forest, node, 0, 1);
}

static Node *simplify_or(Forest *forest, Node *left, Node *right) {
    if (trees_equal(left, right))
        return left;
    if (left->kind == NODE_EMPTY)
        return make_optional(forest, right);
    if (right->kind == NODE_EMPTY)
        return make_optional(forest, left);
    if (left->kind == NODE_SET && right->kind == NODE_SET) {
        Charset both = left->set;
        charset_unite(&both, &right->set);
        return new_set(forest, &both);
    }
    /* a|(b|c) with sets a and b: put them together first. */
    if (left->kind == NODE_OR && left->right->kind == NODE_SET && right->kind == NODE_SET)
        return simplify_or(forest, left->left, simplify_or(forest, left->right, right));
    /* xy|xz is x(y|z). */
    if (left->kind == NODE_CONCAT || right->kind == NODE_CONCAT) {
        Node *first = first_of(left);
        if (first->kind == NODE_SET && trees_equal(first, first_of(right))) {
            Node *rests = simplify_or(forest, rest_of(forest, left), rest_of(forest, right));
            return simplify_concat(forest, first, rests);
        }
    }
    return new_or(forest, left, right);
}

/* ---- Repetitions ---- */

/* x{m} as x…x; the first one is x itself. */
static Node *repeat_exactly(Forest *forest, Node *node, int times) {
    Node *all = node;
    for (int i = 1; i < times; i++)
        all = new_concat(forest, all, copy_tree(forest, node));
    return all;
}

/* x{0,n} as (x(x(x)?)?)?. */
static Node *repeat_at_most(Forest *forest, Node *node, int times) {
    Node *all = make_optional(forest, node);
    for (int i = 1; i < times; i++)
        all = new_repeat(forest, new_concat(forest, copy_tree(forest, node), all), 0, 1);
    return all;
}

static Node *repeat_without_limit(Forest *forest, Node *node, int least) {
    if (is_star(node))
        return node;
    if (is_plus(node) || is_option(node)) {
        if (least == 0 || is_option(node))
            return new_repeat(forest, node->left, 0, WITHOUT_LIMIT);
        if (least == 1)
            return node;
    }
    if (least <= 1)
        return new_repeat(forest, node, least, WITHOUT_LIMIT);
    Node *before = repeat_exactly(forest, node, least - 1);
    return new_concat(forest, before, new_repeat(forest, copy_tree(forest, node), 1, WITHOUT_LIMIT));
}

static Node *simplify_repeat(Forest *forest, Node *child, int least, int most) {
    if (child->kind == NODE_EMPTY || most == 0)
        return new_empty(forest);
    if (child->kind == NODE_ASSERT) {
        /* An assertion that may be left out says nothing; more than once it says no more. */
        if (least == 0)
            return new_empty(forest);
        return child;
    }
    if (most == WITHOUT_LIMIT)
        return repeat_without_limit(forest, child, least);
    if (least == 0)
        return repeat_at_most(forest, child, most);
    Node *before = repeat_exactly(forest, child, least);
    if (most == least)
        return before;
    return new_concat(forest, before, repeat_at_most(forest, copy_tree(forest, child), most - least));
}

Node *simplify(Forest *forest, Node *node) {
    switch (node->kind) {
    case NODE_EMPTY:
    case NODE_SET:
    case NODE_ASSERT:
        return node;
    case NODE_CONCAT: {
        Node *left = simplify(forest, node->left);
        return simplify_concat(forest, left, simplify(forest, node->right));
    }
    case NODE_OR: {
        Node *left = simplify(forest, node->left);
        return simplify_or(forest, left, simplify(forest, node->right));
    }
    case NODE_REPEAT:
        return simplify_repeat(forest, simplify(forest, node->left), node->least, node->most);
    }
    return node;
}
