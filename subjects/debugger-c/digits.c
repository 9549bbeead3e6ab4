#include <stdio.h>
int digit_sum(int n) {
    int sum = 0;
    do {
        sum += n % 10;
        n /= 10;
    } while (n > 0);
    return sum;
}
int main(void) {
    int a = digit_sum(9875);
    int b = digit_sum(a);
    printf("%d %d\n", a, b);
    return 0;
}
