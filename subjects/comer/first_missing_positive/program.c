/* The least positive number that an array lacks, by putting each number at its own place. */
int first_missing_positive(int *a, int n);

int first_missing_positive(int *a, int n) {
    for (int i = 0; i < n; i++) {
        while (a[i] > 0 && a[i] <= n && a[a[i] - 1] != a[i]) {
            int place = a[i] - 1;
            int other = a[place];
            a[place] = a[i];
            a[i] = other;
        }
    }
    for (int i = 0; i < n; i++) {
        if (a[i] != i + 1)
            return i + 1;
    }
    return n + 1;
}
