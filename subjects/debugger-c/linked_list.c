#include <stdio.h>
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};
struct node *push(struct node *head, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = head;
    return fresh;
}
int main(void) {
    struct node *head = NULL;
    for (int i = 1; i <= 3; i++)
        head = push(head, i * 10);
    int sum = 0;
    for (struct node *n = head; n; n = n->next)
        sum += n->value;
    printf("%d\n", sum);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
