/* Heapsort. */
void heap_sort(int *a, int n);

static void sink(int *a, int parent, int n) {
    int value = a[parent];
    int child = 2 * parent + 1;
    while (child < n) {
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[child] <= value)
            break;
        a[parent] = a[child];
        parent = child;
        child = 2 * parent + 1;
    }
    a[parent] = value;
}

void heap_sort(int *a, int n) {
    for (int i = n / 2 - 1; i >= 0; i--)
        sink(a, i, n);
    for (int end = n - 1; end > 0; end--) {
        int largest = a[0];
        a[0] = a[end];
        a[end] = largest;
        sink(a, 0, end);
    }
}
