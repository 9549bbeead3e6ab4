#include <stdio.h>
struct tree {
    int value;
    struct tree *left, *right;
};
static struct tree pool[8];
static int used = 0;
struct tree *insert(struct tree *t, int value) {
    if (!t) {
        t = &pool[used];
        used++;
        t->value = value;
        return t;
    }
    if (value < t->value)
        t->left = insert(t->left, value);
    else
        t->right = insert(t->right, value);
    return t;
}
int depth(struct tree *t) {
    if (!t)
        return 0;
    int l = depth(t->left);
    int r = depth(t->right);
    return 1 + (l > r ? l : r);
}
int main(void) {
    int values[] = {5, 2, 8, 9};
    struct tree *root = NULL;
    for (int i = 0; i < 4; i++)
        root = insert(root, values[i]);
    printf("%d\n", depth(root));
    return 0;
}
