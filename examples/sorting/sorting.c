#include "sorting.h"

/* Shell's sort with the gaps 4, 1. -DFAULTY never looks at the first element of a chain. */
void shell_sort(int *a, int n) {
    static const int gaps[] = {4, 1};
    for (int g = 0; g < 2; g++) {
        int gap = gaps[g];
        for (int i = gap; i < n; i++) {
            int x = a[i], j = i;
#ifdef FAULTY
            while (j > gap && a[j - gap] > x) {
#else
            while (j >= gap && a[j - gap] > x) {
#endif
                a[j] = a[j - gap];
                j -= gap;
            }
            a[j] = x;
        }
    }
}
