#include <stdio.h>
double fahrenheit(double celsius) {
    double f = celsius * 9.0 / 5.0 + 32.0;
    return f;
}
int main(void) {
    for (int c = -10; c <= 20; c += 15) {
        double f = fahrenheit(c);
        printf("%d C is %.1f F\n", c, f);
    }
    return 0;
}
