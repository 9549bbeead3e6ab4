#include "maxsub.h"

/* Kadane's algorithm. -DFAULTY forgets to start afresh after a negative sum. */
int maxsub(const int *a, int n) {
    int ans = 0, cnt = 0;
    for (int i = 0; i < n; i++) {
        cnt += a[i];
        if (cnt < 0) {
#ifndef FAULTY
            cnt = 0;
#endif
        }
        if (cnt > ans)
            ans = cnt;
    }
    return ans;
}
