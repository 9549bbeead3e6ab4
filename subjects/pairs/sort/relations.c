#include <twinrun.h>

#ifndef N
#define N 3
#endif

void isort(int *A, int n);

static void compare(int *A, int *B) {
    RUN(isort(A, N));
    OUTPUT_I32S("sorted", A, N);
    RUN(isort(B, N));
    OUTPUT_I32S("sorted", B, N);
    int ok = 1;
    for (int i = 0; i < N; i++) ok &= (A[i] == B[i]);
    CHECK(ok);
}

/* TAU 1: the first two elements exchanged. */
RELATION(swap) {
    int A[N], B[N];
    tw_i32s("A", A, N, INT32_MIN, INT32_MAX);
    TW_COPY(B, A, N);
    TW_SWAP(B, 0, 1);
    compare(A, B);
}

/* TAU 2: rotated by one. */
RELATION(rotate) {
    int A[N], B[N];
    tw_i32s("A", A, N, INT32_MIN, INT32_MAX);
    for (int i = 0; i < N; i++) B[i] = A[(i + 1) % N];
    compare(A, B);
}
