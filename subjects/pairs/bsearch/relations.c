#include <twinrun.h>

#ifndef N
#define N 5
#endif

int bs(const int *A, int n, int k);

/* One more element, larger than all others and than k, keeps the index. */
RELATION(append_larger) {
    int A[N + 1], k = tw_i32("k", INT32_MIN, INT32_MAX);
    tw_i32s("A", A, N + 1, INT32_MIN, INT32_MAX);
    for (int i = 1; i <= N; i++) ASSUME(A[i - 1] < A[i]);
    ASSUME(k < A[N]);
    int source = RUN(bs(A, N, k));
    OUTPUT("index", source);
    int follow_up = RUN(bs(A, N + 1, k));
    OUTPUT("index", follow_up);
    CHECK_EQ(source, follow_up);
}

/* The same with steps upwards, which random cases can meet. */
RELATION(append_larger_by_steps) {
    int A[N + 1];
    tw_i32s("steps", A, N + 1, 1, 1000);
    for (int i = 1; i <= N; i++) A[i] += A[i - 1];
    int k = tw_i32("k", 0, A[N] - 1);
    int source = RUN(bs(A, N, k));
    OUTPUT("index", source);
    int follow_up = RUN(bs(A, N + 1, k));
    OUTPUT("index", follow_up);
    CHECK_EQ(source, follow_up);
}
