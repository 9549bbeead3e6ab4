#include <twinrun.h>

#include "../../comedy/heap_sort/heap_sort.h"

#ifndef N
#define N 3
#endif

/* Rotated by one. */
RELATION(rotate) {
    int A[N], B[N];
    tw_i32s("A", A, N, INT32_MIN, INT32_MAX);
    for (int i = 0; i < N; i++) B[i] = A[(i + 1) % N];
    RUN(heap_sort(A, N));
    OUTPUT_I32S("sorted", A, N);
    RUN(heap_sort(B, N));
    OUTPUT_I32S("sorted", B, N);
    int ok = 1;
    for (int i = 0; i < N; i++) ok &= (A[i] == B[i]);
    CHECK(ok);
}
