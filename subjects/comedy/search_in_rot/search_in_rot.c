/* Searches an ascending array of distinct elements that was rotated: the index of the key, or -1. */
#include "search_in_rot.h"

static int find_least(const int *a, int n) {
    int low = 0;
    int high = n - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] > a[high])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int binary_search(const int *a, int low, int high, int key) {
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int search_in_rot(const int *a, int n, int key) {
    if (n <= 0)
        return -1;
    int least = find_least(a, n);
    /* The elements before `least` are the larger ones. */
    if (least == 0)
        return binary_search(a, 0, n - 1, key);
    if (key >= a[0])
        return binary_search(a, 0, least - 1, key);
    return binary_search(a, least, n - 1, key);
}
