/* Sorts an array in place with heapsort. */
#include "heap_sort.h"

static int left_child(int parent) {
    return 2 * parent + 1;
}

static void swap(int *a, int i, int j) {
    int kept = a[i];
    a[i] = a[j];
    a[j] = kept;
}

/* Lets the element at `parent` sink until no child is larger. */
static void sink(int *a, int parent, int size) {
    while (1) {
        int largest = parent;
        int left = left_child(parent);
        int right = left + 1;
        if (left < size) {
            if (a[left] > a[largest])
                largest = left;
        }
        if (right < size) {
            if (a[right] > a[largest])
                largest = right;
        }
        if (largest == parent)
            return;
        swap(a, parent, largest);
        parent = largest;
    }
}

static void make_heap(int *a, int n) {
    for (int parent = n / 2 - 1; parent >= 0; parent--)
        sink(a, parent, n);
}

/* Takes the largest element off the heap and puts it behind it. */
static int take_largest(int *a, int size) {
    size--;
    if (size > 0) {
        swap(a, 0, size);
        sink(a, 0, size);
    }
    return size;
}

void heap_sort(int *a, int n) {
    if (n < 2)
        return;
    make_heap(a, n);
    int size = n;
    while (size > 1)
        size = take_largest(a, size);
}
