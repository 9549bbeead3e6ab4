/* Where a pattern first occurs in a text (Boyer and Moore, both shift rules), -1 when it does not. */
int find(const char *text, int n, const char *pattern, int m);

static int larger(int x, int y) {
    return x > y ? x : y;
}

static void bad_characters(const char *pattern, int m, int *last) {
    for (int c = 0; c < 256; c++)
        last[c] = -1;
    for (int i = 0; i < m; i++)
        last[(unsigned char)pattern[i]] = i;
}

static void good_suffixes(const char *pattern, int m, int *shift) {
    int border[128];
    int i = m;
    int j = m + 1;
    for (int k = 0; k <= m; k++)
        shift[k] = 0;
    border[i] = j;
    while (i > 0) {
        while (j <= m && pattern[i - 1] != pattern[j - 1]) {
            if (shift[j] == 0)
                shift[j] = j - i;
            j = border[j];
        }
        i--;
        j--;
        border[i] = j;
    }
    j = border[0];
    for (i = 0; i <= m; i++) {
        if (shift[i] == 0)
            shift[i] = j;
        if (i == j)
            j = border[j];
    }
}

int find(const char *text, int n, const char *pattern, int m) {
    int last[256];
    int shift[128];
    if (m == 0)
        return 0;
    bad_characters(pattern, m, last);
    good_suffixes(pattern, m, shift);
    int at = 0;
    while (at <= n - m) {
        int j = m - 1;
        while (j >= 0 && pattern[j] == text[at + j])
            j--;
        if (j < 0)
            return at;
        at += larger(shift[j + 1], j - last[(unsigned char)text[at + j]]);
    }
    return -1;
}
