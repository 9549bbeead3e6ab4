#include <stdio.h>
int steps(long n) {
    int count = 0;
    while (n != 1) {
        if (n % 2 == 0) {
            n = n / 2;
        } else {
            n = 3 * n + 1;
        }
        count++;
    }
    return count;
}
int main(void) {
    int best = 0;
    for (int n = 2; n < 8; n++) {
        int s = steps(n);
        if (s > best)
            best = s;
    }
    printf("longest %d\n", best);
    return 0;
}
