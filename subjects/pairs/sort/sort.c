/* Insertion sort. -DFAULTY stops the inner loop at j > 1. */
void isort(int *A, int n) {
    for (int i = 1; i < n; i++) {
        int x = A[i], j = i;
#ifdef FAULTY
        while (j > 1 && A[j - 1] > x) {
#else
        while (j > 0 && A[j - 1] > x) {
#endif
            A[j] = A[j - 1];
            j--;
        }
        A[j] = x;
    }
}
