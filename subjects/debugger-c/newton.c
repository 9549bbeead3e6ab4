#include <stdio.h>
double root(double x) {
    double guess = x / 2.0;
    int rounds = 0;
    while (rounds < 20) {
        double next = (guess + x / guess) / 2.0;
        if (next == guess)
            break;
        guess = next;
        rounds++;
    }
    return guess;
}
int main(void) {
    double r = root(2.0);
    printf("%.6f\n", r);
    return 0;
}
