/* The kind of a triangle (0 none, 1 equilateral, 2 isosceles, 3 scalene) and its area. */
#include <math.h>

int triangle(int a, int b, int c, double *area);

int triangle(int a, int b, int c, double *area) {
    *area = 0;
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    if (a + b <= c || b + c <= a || a + c <= b)
        return 0;
    double half = (a + b + c) / 2.0;
    *area = sqrt(half * (half - a) * (half - b) * (half - c));
    if (a == b && b == c)
        return 1;
    if (a == b || b == c || a == c)
        return 2;
    return 3;
}
