/* The first and the last place of a key in a sorted array; -1 and -1 when it is absent. */
typedef struct {
    int first, last;
} Places;

Places search_range(const int *a, int n, int key);

static int lower_bound(const int *a, int n, int key) {
    int low = 0;
    int high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Places search_range(const int *a, int n, int key) {
    Places places = {-1, -1};
    int from = lower_bound(a, n, key);
    if (from == n || a[from] != key)
        return places;
    int low = from;
    int high = n - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (a[middle] > key)
            high = middle - 1;
        else
            low = middle;
    }
    places.first = from;
    places.last = low;
    return places;
}
