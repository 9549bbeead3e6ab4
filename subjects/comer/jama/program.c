/* The determinant from an LU decomposition by columns with dot products (Crout and Doolittle), pivots recorded. */
double determinant(double a[32][32], int n);

static double size_of(double x) {
    return x < 0 ? -x : x;
}

static int smaller(int x, int y) {
    return x < y ? x : y;
}

double determinant(double lu[32][32], int n) {
    double column[32];
    int sign = 1;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            column[i] = lu[i][j];
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < smaller(i, j); k++)
                sum += lu[i][k] * column[k];
            column[i] -= sum;
            lu[i][j] = column[i];
        }
        int pivot = j;
        for (int i = j + 1; i < n; i++) {
            if (size_of(column[i]) > size_of(column[pivot]))
                pivot = i;
        }
        if (pivot != j) {
            for (int k = 0; k < n; k++) {
                double t = lu[pivot][k];
                lu[pivot][k] = lu[j][k];
                lu[j][k] = t;
            }
            sign = -sign;
        }
        if (lu[j][j] != 0) {
            for (int i = j + 1; i < n; i++)
                lu[i][j] /= lu[j][j];
        }
    }
    double product = sign;
    for (int j = 0; j < n; j++)
        product *= lu[j][j];
    return product;
}
