#include <stdio.h>
int evaluate(const int *c, int n, int x) {
    int value = 0;
    for (int i = n - 1; i >= 0; i--)
        value = value * x + c[i];
    return value;
}
int main(void) {
    int c[] = {1, 0, 2};
    for (int x = 0; x < 4; x++) {
        int y = evaluate(c, 3, x);
        printf("%d ", y);
    }
    printf("\n");
    return 0;
}
