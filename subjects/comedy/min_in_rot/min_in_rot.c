/* The least element of an ascending array that was rotated; equal elements are allowed. */
#include "min_in_rot.h"

int min_in_rot(const int *a, int n) {
    if (n <= 0)
        return 0;
    int low = 0;
    int high = n - 1;
    while (low < high) {
        if (a[low] < a[high])
            return a[low];
        int middle = low + (high - low) / 2;
        if (a[middle] > a[high])
            low = middle + 1;
        else if (a[middle] < a[high])
            high = middle;
        else
            high--; /* equal ends say nothing about the side */
    }
    return a[low];
}
