/* A function with its parameters. */
typedef double (*Function)(double x, const double *parameters);

/* The area under f between a and b, whichever is greater, by the trapezoid rule with the given number of intervals; NaN if there
 * is none. */
double area(Function f, const double *parameters, double a, double b, int intervals);
