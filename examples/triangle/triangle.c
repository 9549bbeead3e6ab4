#include "triangle.h"

#include <math.h>

/* -DFAULTY misses a clause: a == c is never noticed. */
enum triangle triangle_kind(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return NO_TRIANGLE;
    if (a + b <= c || b + c <= a || a + c <= b)
        return NO_TRIANGLE;
    if (a == b && b == c)
        return EQUILATERAL;
#ifdef FAULTY
    if (a == b || b == c)
#else
    if (a == b || b == c || a == c)
#endif
        return ISOSCELES;
    return SCALENE;
}

double triangle_area(int a, int b, int c) {
    switch (triangle_kind(a, b, c)) {
    case NO_TRIANGLE:
        return 0;
    case EQUILATERAL:
        return a * (double)a * sqrt(3.0) / 4;
    case ISOSCELES: {
        /* The side that has no twin is the base. */
        double base = a == b ? c : b == c ? a : b;
        double side = a == b ? a : c;
        return base * sqrt(side * side - base * base / 4) / 2;
    }
    default: {
        double s = (a + b + c) / 2.0; /* Heron */
        return sqrt(s * (s - a) * (s - b) * (s - c));
    }
    }
}
