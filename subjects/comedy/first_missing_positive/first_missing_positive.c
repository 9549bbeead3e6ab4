/* The least positive number that is not in the array, which is rearranged. */
#include "first_missing_positive.h"

/* Where value v belongs: at index v - 1, if there is one. */
static int has_place(int value, int n) {
    if (value < 1)
        return 0;
    if (value > n)
        return 0;
    return 1;
}

int first_missing_positive(int *a, int n) {
    int i = 0;
    while (i < n) {
        int value = a[i];
        if (!has_place(value, n)) {
            i++;
            continue;
        }
        int place = value - 1;
        if (a[place] == value) {
            i++; /* it is there already, or has a twin there */
            continue;
        }
        a[i] = a[place];
        a[place] = value;
    }
    for (int j = 0; j < n; j++) {
        if (a[j] != j + 1)
            return j + 1;
    }
    return n + 1;
}
