/* Whether a key is in a sorted array, and after how many elements it would stand. */
int search(const int *a, int n, int key, int *place);

int search(const int *a, int n, int key, int *place) {
    int low = 0;
    int high = n - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == key) {
            *place = middle;
            return 1;
        }
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    *place = low;
    return 0;
}
