#include "trapezoid.h"

#include <math.h>

/* -DFAULTY drops the last inner sample. */
double area(Function f, const double *parameters, double a, double b, int intervals) {
    if (intervals < 1)
        return NAN;
    if (a == b)
        return 0;
    double sum = f(a, parameters) / 2 + f(b, parameters) / 2;
#ifdef FAULTY
    for (int i = 1; i < intervals - 1; i++)
#else
    for (int i = 1; i < intervals; i++)
#endif
        sum += f(a + (b - a) * i / intervals, parameters);
    double width = (b - a) / intervals;
    return a > b ? -sum * width : sum * width;
}
