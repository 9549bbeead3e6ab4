/* Binary search in a strictly ascending array. -DFAULTY stops too early. */
int bs(const int *A, int n, int k) {
    int lo = 0, hi = n - 1;
#ifdef FAULTY
    while (lo < hi) {
#else
    while (lo <= hi) {
#endif
        int mid = lo + (hi - lo) / 2;
        if (A[mid] == k) return mid;
        if (A[mid] < k) lo = mid + 1; else hi = mid - 1;
    }
    return -1;
}
