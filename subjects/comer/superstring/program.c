/* A short text that contains all given ones: the pair with the longest overlap is joined until one text is left. */
enum { TEXTS = 40, ROOM = 256 };

void superstring(char texts[TEXTS][ROOM], int count, char *out);

static int length_of(const char *text) {
    int length = 0;
    while (text[length])
        length++;
    return length;
}

static int contains(const char *text, const char *part) {
    int n = length_of(text);
    int m = length_of(part);
    for (int at = 0; at + m <= n; at++) {
        int i = 0;
        while (i < m && text[at + i] == part[i])
            i++;
        if (i == m)
            return 1;
    }
    return 0;
}

static int overlap(const char *a, const char *b) {
    int n = length_of(a);
    int m = length_of(b);
    for (int size = n < m ? n : m; size > 0; size--) {
        int i = 0;
        while (i < size && a[n - size + i] == b[i])
            i++;
        if (i == size)
            return size;
    }
    return 0;
}

static void join(char *a, const char *b, int shared) {
    int n = length_of(a);
    int m = length_of(b);
    for (int i = shared; i <= m; i++)
        a[n + i - shared] = b[i];
}

static void copy(char *to, const char *from) {
    int i = 0;
    do
        to[i] = from[i];
    while (from[i++]);
}

void superstring(char texts[TEXTS][ROOM], int count, char *out) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int useless = 0;
        for (int j = 0; j < count; j++) {
            if (i != j && contains(texts[j], texts[i]) && (length_of(texts[j]) > length_of(texts[i]) || j < i))
                useless = 1;
        }
        if (!useless) {
            if (kept != i)
                copy(texts[kept], texts[i]);
            kept++;
        }
    }
    while (kept > 1) {
        int best = -1;
        int left = 0;
        int right = 1;
        for (int i = 0; i < kept; i++) {
            for (int j = 0; j < kept; j++) {
                if (i != j && overlap(texts[i], texts[j]) > best) {
                    best = overlap(texts[i], texts[j]);
                    left = i;
                    right = j;
                }
            }
        }
        join(texts[left], texts[right], best);
        kept--;
        if (right != kept)
            copy(texts[right], texts[kept]);
    }
    copy(out, texts[0]);
}
