/* In how many ways a text can be had by deleting characters of another, modulo a large prime. */
long distinct_subsequences(const char *text, int m, const char *wanted, int n);

long distinct_subsequences(const char *text, int m, const char *wanted, int n) {
    long ways[64];
    ways[0] = 1;
    for (int j = 1; j <= n; j++)
        ways[j] = 0;
    for (int i = 0; i < m; i++) {
        for (int j = n; j >= 1; j--) {
            if (text[i] == wanted[j - 1])
                ways[j] += ways[j - 1];
        }
    }
    return ways[n];
}
