/* Kadane's MAXSUB. -DFAULTY drops "cnt = 0". */
int maxsub(int *A, int n) {
    int ans = 0, cnt = 0;
    for (int i = 0; i < n; i++) {
        cnt = (int)((unsigned)cnt + (unsigned)A[i]); /* cnt += A[i], wrapping */
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
