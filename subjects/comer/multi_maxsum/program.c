/* The largest sum of at most `segments` separate runs of adjacent elements; no run gives 0. */
enum { MOST_SEGMENTS = 128 };

int multi_maxsum(const int *a, int n, int segments);

static int larger(int x, int y) {
    return x > y ? x : y;
}

int multi_maxsum(const int *a, int n, int segments) {
    int inside[MOST_SEGMENTS + 1];
    int done[MOST_SEGMENTS + 1];
    for (int s = 0; s <= segments; s++) {
        inside[s] = -1000000;
        done[s] = 0;
    }
    for (int i = 0; i < n; i++) {
        for (int s = segments; s >= 1; s--) {
            inside[s] = larger(inside[s], done[s - 1]) + a[i];
            done[s] = larger(done[s], inside[s]);
        }
    }
    int best = 0;
    for (int s = 0; s <= segments; s++)
        best = larger(best, done[s]);
    return best;
}
