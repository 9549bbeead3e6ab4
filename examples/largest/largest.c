#include "largest.h"

/* -DFAULTY forgets the last number. */
int largest(const int *numbers, int n) {
    int best = numbers[0];
#ifdef FAULTY
    for (int i = 1; i < n - 1; i++) {
#else
    for (int i = 1; i < n; i++) {
#endif
        if (numbers[i] > best)
            best = numbers[i];
    }
    return best;
}
