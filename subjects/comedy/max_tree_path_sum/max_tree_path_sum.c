/* The largest sum on a path of a binary tree: along edges, from any node to any node. The tree comes level by level, the children of
 * entry i at 2i + 1 and 2i + 2, with ABSENT where there is no node; 0 for an empty tree. */
#include "max_tree_path_sum.h"

#include <stddef.h>

typedef struct Node {
    int value;
    struct Node *left;
    struct Node *right;
} Node;

typedef struct {
    Node nodes[MOST_NODES];
    int used;
} Tree;

static Node *new_node(Tree *tree, int value) {
    Node *node = &tree->nodes[tree->used];
    tree->used++;
    node->value = value;
    node->left = NULL;
    node->right = NULL;
    return node;
}

static Node *build(Tree *tree, const int *values, int n, int index) {
    if (index >= n)
        return NULL;
    if (values[index] == ABSENT)
        return NULL;
    Node *node = new_node(tree, values[index]);
    node->left = build(tree, values, n, 2 * index + 1);
    node->right = build(tree, values, n, 2 * index + 2);
    return node;
}

/* The best sum of a path that goes down from this node; *best is the best of any path below it. */
static int best_down(const Node *node, int *best) {
    if (node == NULL)
        return 0;
    int left = best_down(node->left, best);
    int right = best_down(node->right, best);
    if (left < 0)
        left = 0;
    if (right < 0)
        right = 0;
    int bent = node->value + left + right;
    if (bent > *best)
        *best = bent;
    int longer = left;
    if (right > left)
        longer = right;
    return node->value + longer;
}

int max_tree_path_sum(const int *values, int n) {
    Tree tree;
    tree.used = 0;
    if (n > MOST_NODES)
        n = MOST_NODES;
    Node *root = build(&tree, values, n, 0);
    if (root == NULL)
        return 0;
    int best = root->value;
    best_down(root, &best);
    return best;
}
