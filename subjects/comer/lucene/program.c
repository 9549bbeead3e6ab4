/* A small search engine: an inverted index, and queries of one or two terms joined by or, and, not. */
enum { DOCUMENTS = 64, TERMS = 64, EMPTY = -1 };

typedef struct {
    int term[TERMS];
    int count[TERMS];
    int posting[TERMS][DOCUMENTS];
    int terms;
} Index;

void index_clear(Index *index);
void index_add(Index *index, int document, int term);
int query(const Index *index, int first, int operator, int second, int *found);

void index_clear(Index *index) {
    index->terms = 0;
}

static int find_term(const Index *index, int term) {
    for (int i = 0; i < index->terms; i++) {
        if (index->term[i] == term)
            return i;
    }
    return EMPTY;
}

void index_add(Index *index, int document, int term) {
    int at = find_term(index, term);
    if (at == EMPTY) {
        at = index->terms++;
        index->term[at] = term;
        index->count[at] = 0;
    }
    int n = index->count[at];
    if (n > 0 && index->posting[at][n - 1] == document)
        return;
    index->posting[at][n] = document;
    index->count[at]++;
}

/* Postings ascend, so two lists are merged. Keep what is in the first, the second, or both. */
static int merge(const int *a, int m, const int *b, int n, int first, int second, int both, int *out) {
    int i = 0;
    int j = 0;
    int count = 0;
    while (i < m || j < n) {
        if (j >= n || (i < m && a[i] < b[j])) {
            if (first)
                out[count++] = a[i];
            i++;
        } else if (i >= m || b[j] < a[i]) {
            if (second)
                out[count++] = b[j];
            j++;
        } else {
            if (both)
                out[count++] = a[i];
            i++;
            j++;
        }
    }
    return count;
}

int query(const Index *index, int first, int operator, int second, int *found) {
    int a = find_term(index, first);
    int b = find_term(index, second);
    const int *left = a == EMPTY ? 0 : index->posting[a];
    const int *right = b == EMPTY ? 0 : index->posting[b];
    int m = a == EMPTY ? 0 : index->count[a];
    int n = b == EMPTY ? 0 : index->count[b];
    if (operator == 1)
        return merge(left, m, right, n, 1, 1, 1, found);
    if (operator == 2)
        return merge(left, m, right, n, 0, 0, 1, found);
    if (operator == 3)
        return merge(left, m, right, n, 1, 0, 0, found);
    return merge(left, m, right, 0, 1, 1, 1, found);
}
