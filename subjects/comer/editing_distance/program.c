/* How many insertions, deletions and exchanges turn one text into another. */
int editing_distance(const char *a, int m, const char *b, int n);

static int smaller(int x, int y) {
    return x < y ? x : y;
}

int editing_distance(const char *a, int m, const char *b, int n) {
    int d[32][32];
    for (int i = 0; i <= m; i++)
        d[i][0] = i;
    for (int j = 0; j <= n; j++)
        d[0][j] = j;
    for (int i = 1; i <= m; i++) {
        for (int j = 1; j <= n; j++) {
            int exchange = d[i - 1][j - 1];
            if (a[i - 1] != b[j - 1])
                exchange++;
            d[i][j] = smaller(exchange, smaller(d[i - 1][j], d[i][j - 1]) + 1);
        }
    }
    return d[m][n];
}
