#include <stdio.h>
int gcd(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
int main(void) {
    int x = gcd(48, 36);
    int y = gcd(17, 5);
    printf("%d %d\n", x, y);
    return 0;
}
