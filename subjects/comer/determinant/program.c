/* The determinant by Gaussian elimination with the largest pivot of each column. */
double determinant(double a[32][32], int n);

static double size_of(double x) {
    return x < 0 ? -x : x;
}

double determinant(double a[32][32], int n) {
    double product = 1;
    for (int column = 0; column < n; column++) {
        int pivot = column;
        for (int row = column + 1; row < n; row++) {
            if (size_of(a[row][column]) > size_of(a[pivot][column]))
                pivot = row;
        }
        if (a[pivot][column] == 0)
            return 0;
        if (pivot != column) {
            for (int j = 0; j < n; j++) {
                double t = a[pivot][j];
                a[pivot][j] = a[column][j];
                a[column][j] = t;
            }
            product = -product;
        }
        product *= a[column][column];
        for (int row = column + 1; row < n; row++) {
            double factor = a[row][column] / a[column][column];
            for (int j = column; j < n; j++)
                a[row][j] -= factor * a[column][j];
        }
    }
    return product;
}
