#include <twinrun.h>

#ifndef N
#define N 3
#endif
#ifdef BOUND
enum { LOW = -(BOUND), HIGH = BOUND };
#else
enum { LOW = INT32_MIN, HIGH = INT32_MAX };
#endif

int maxsub(int *A, int n);

RELATION(reverse) {
    int A[N], B[N];
    tw_i32s("A", A, N, LOW, HIGH);
    int source = RUN(maxsub(A, N));
    OUTPUT("best", source);
    for (int i = 0; i < N; i++) B[i] = A[N - 1 - i];
    int follow_up = RUN(maxsub(B, N));
    OUTPUT("best", follow_up);
    CHECK_EQ(source, follow_up);
}
