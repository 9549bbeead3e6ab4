#include "maxsub.h"

/* Kadane's algorithm, with a fault: look for it with `twinrun test`, then fix it and test again. */
int maxsub(const int *a, int n) {
    int best = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (sum > best) best = sum;
        /* The fault: `if (sum < 0) sum = 0;` is missing here. A debt from the left is carried on. */
    }
    return best;
}
