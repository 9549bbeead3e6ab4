#include "sides.h"

/* -DFAULTY compares the wrong sides in one branch. */
enum kind sides(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return NO_TRIANGLE;
    if (a + b <= c || b + c <= a || a + c <= b)
        return NO_TRIANGLE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c)
        return ISOSCELES;
#ifdef FAULTY
    if (a == b)
#else
    if (a == c)
#endif
        return ISOSCELES;
    return SCALENE;
}
