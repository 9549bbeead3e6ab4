#include <stdio.h>
static long factorial(int n) {
    if (n <= 1)
        return 1;
    return n * factorial(n - 1);
}
int main(void) {
    for (int i = 1; i < 6; i++) {
        long value = factorial(i);
        printf("%d! = %ld\n", i, value);
    }
    return 0;
}
