#include <stdio.h>
static int items[16];
static int top = 0;
void push(int value) {
    items[top] = value;
    top++;
}
int pop(void) {
    if (top == 0)
        return -1;
    top--;
    return items[top];
}
int main(void) {
    push(3);
    push(7);
    int a = pop();
    int b = pop();
    int c = pop();
    printf("%d %d %d\n", a, b, c);
    return 0;
}
