#include <stdio.h>
int twice(int n) {
    return n * 2;
}
int square(int n) {
    return n * n;
}
int apply(int (*f)(int), int n) {
    int result = f(n);
    return result;
}
int main(void) {
    int (*table[2])(int) = {twice, square};
    for (int i = 0; i < 2; i++)
        printf("%d\n", apply(table[i], 7));
    return 0;
}
