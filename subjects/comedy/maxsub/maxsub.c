/* The largest sum of adjacent elements (Kadane); the empty subarray has the sum 0. */
#include "maxsub.h"

int maxsub(const int *a, int n) {
    int ans = 0;
    int cnt = 0;
    for (int i = 0; i < n; i++) {
        cnt += a[i];
        if (cnt < 0)
            cnt = 0;
        if (cnt > ans)
            ans = cnt;
    }
    return ans;
}
