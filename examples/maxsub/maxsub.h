/* The largest sum of adjacent elements; the empty subarray has the sum 0. */
int maxsub(const int *a, int n);
