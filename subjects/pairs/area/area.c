/* The trapezoid rule on a table of samples, f[i] = f(x_i). -DFIX: integers, the area times 2v, without rounding. -DFAULTY drops the
 * last sample. */
#ifdef FIX
typedef int num;
#else
typedef double num;
#endif
num Area(const num *f, num a, num b, int v, int *err) {
    num area = 0;
    if (v < 1) { *err = 1; return 0; }
    *err = 0;
    if (a != b) {
#ifdef FIX
        num h = b - a; /* 2v·area = h·(f0 + fv + 2·sum) */
        area = f[0] + f[v]; int i = 1;
#else
        num h = (b - a) / v;
        area = f[0] / 2.0 + f[v] / 2.0; int i = 1;
#endif
#ifdef FAULTY
        while (i < v - 1) {
#else
        while (i < v) {
#endif
#ifdef FIX
            area += 2 * f[i];
#else
            area += f[i];
#endif
            i++;
        }
        area = area * h;
        if (a > b) area = -area;
    }
    return area;
}
