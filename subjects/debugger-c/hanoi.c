#include <stdio.h>
static int moves = 0;
void hanoi(int n, char from, char to, char via) {
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves++;
    hanoi(n - 1, via, to, from);
}
int main(void) {
    hanoi(3, 'A', 'C', 'B');
    printf("%d moves\n", moves);
    return 0;
}
