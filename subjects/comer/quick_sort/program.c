/* Quicksort with the median of three as pivot; short parts by insertion. */
void quick_sort(int *a, int n);

static void swap(int *a, int i, int j) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
}

static void insertion_sort(int *a, int low, int high) {
    for (int i = low + 1; i <= high; i++) {
        int value = a[i];
        int j = i - 1;
        while (j >= low && a[j] > value) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = value;
    }
}

static int median_of_three(int *a, int low, int high) {
    int middle = low + (high - low) / 2;
    if (a[middle] < a[low])
        swap(a, low, middle);
    if (a[high] < a[low])
        swap(a, low, high);
    if (a[high] < a[middle])
        swap(a, middle, high);
    swap(a, middle, high - 1);
    return a[high - 1];
}

static void sort(int *a, int low, int high) {
    if (high - low < 4) {
        insertion_sort(a, low, high);
        return;
    }
    int pivot = median_of_three(a, low, high);
    int i = low;
    int j = high - 1;
    for (;;) {
        do
            i++;
        while (a[i] < pivot);
        do
            j--;
        while (a[j] > pivot);
        if (i >= j)
            break;
        swap(a, i, j);
    }
    swap(a, i, high - 1);
    sort(a, low, i - 1);
    sort(a, i + 1, high);
}

void quick_sort(int *a, int n) {
    if (n > 1)
        sort(a, 0, n - 1);
}
