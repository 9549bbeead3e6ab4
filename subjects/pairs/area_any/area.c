/* The trapezoid rule for any function, any number of intervals and both orders of the ends (Clarke and Richardson's Area). -DFAULTY loses the last
 * sample. */
double Area(double (*f)(double), double a, double b, int v) {
    double area = 0;
    if (a != b) {
        double h = (b - a) / v;
        area = f(a) / 2 + f(b) / 2;
        int i = 1;
#ifdef FAULTY
        while (i < v - 1) {
#else
        while (i < v) {
#endif
            area = area + f(a + i * h);
            i++;
        }
        area = area * h;
        if (a > b) area = -area;
    }
    return area;
}
