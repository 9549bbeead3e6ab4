/* The sum of a function over 0, 1, …, n - 1. -DFAULTY leaves out the last one. */
double Sum(double (*f)(double), int n) {
    double sum = 0;
#ifdef FAULTY
    n--;
#endif
    for (int i = 0; i < n; i++) sum += f(i);
    return sum;
}
