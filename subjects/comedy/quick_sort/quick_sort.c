/* Sorts an array in place with quicksort. */
#include "quick_sort.h"

static void swap(int *a, int i, int j) {
    int kept = a[i];
    a[i] = a[j];
    a[j] = kept;
}

/* Puts the median of the first, the middle and the last element in front. */
static void choose_pivot(int *a, int low, int high) {
    int middle = low + (high - low) / 2;
    if (a[middle] < a[low])
        swap(a, middle, low);
    if (a[high] < a[low])
        swap(a, high, low);
    if (a[high] < a[middle])
        swap(a, high, middle);
    swap(a, low, middle);
}

/* Splits by the element at low and says where it ends up. */
static int partition(int *a, int low, int high) {
    int pivot = a[low];
    int i = low;
    int j = high + 1;
    while (1) {
        while (a[++i] < pivot)
            if (i == high)
                break;
        while (pivot < a[--j])
            if (j == low)
                break;
        if (i >= j)
            break;
        swap(a, i, j);
    }
    swap(a, low, j);
    return j;
}

static void sort(int *a, int low, int high) {
    if (low >= high)
        return;
    choose_pivot(a, low, high);
    int place = partition(a, low, high);
    sort(a, low, place - 1);
    sort(a, place + 1, high);
}

void quick_sort(int *a, int n) {
    sort(a, 0, n - 1);
}
