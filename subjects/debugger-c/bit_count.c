#include <stdio.h>
int bits(unsigned n) {
    int count = 0;
    while (n) {
        n &= n - 1;
        count++;
    }
    return count;
}
int main(void) {
    int total = 0;
    for (unsigned n = 0; n < 16; n++)
        total += bits(n);
    printf("%d\n", total);
    return 0;
}
