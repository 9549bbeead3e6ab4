/* The largest sum of adjacent elements, and where it is. */
typedef struct {
    int sum, from, to;
} Best;

Best maxsub(const int *a, int n);

Best maxsub(const int *a, int n) {
    Best best = {a[0], 0, 0};
    int sum = 0;
    int from = 0;
    for (int i = 0; i < n; i++) {
        if (sum < 0) {
            sum = 0;
            from = i;
        }
        sum += a[i];
        if (sum > best.sum) {
            best.sum = sum;
            best.from = from;
            best.to = i;
        }
    }
    return best;
}
