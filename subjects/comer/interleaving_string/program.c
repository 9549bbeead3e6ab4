/* Whether a text is made of two others, each in its own order. */
int is_interleaving(const char *a, const char *b, const char *mixed);

static int length_of(const char *text) {
    int length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

int is_interleaving(const char *a, const char *b, const char *mixed) {
    char reached[64][64];
    int m = length_of(a);
    int n = length_of(b);
    if (m + n != length_of(mixed))
        return 0;
    for (int i = 0; i <= m; i++) {
        for (int j = 0; j <= n; j++) {
            if (i == 0 && j == 0) {
                reached[i][j] = 1;
                continue;
            }
            char next = mixed[i + j - 1];
            int by_a = i > 0 && reached[i - 1][j] && a[i - 1] == next;
            int by_b = j > 0 && reached[i][j - 1] && b[j - 1] == next;
            reached[i][j] = by_a || by_b;
        }
    }
    return reached[m][n];
}
