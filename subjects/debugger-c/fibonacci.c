#include <stdio.h>
int main(void) {
    int a = 0, b = 1;
    for (int i = 0; i < 8; i++) {
        int next = a + b;
        printf("%d ", a);
        a = b;
        b = next;
    }
    printf("\n");
    return 0;
}
