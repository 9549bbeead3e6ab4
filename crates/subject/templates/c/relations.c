/* Nobody knows the right sum of a random array. But some things must hold between runs. */
#include <twinrun.h>

#include "maxsub.h"

/* Reading the array backwards does not change the best sum. */
RELATION(reverse) {
    int a[6], b[6];
    int n = tw_len("n", 1, 6);
    tw_i32s("a", a, n, -1000, 1000);

    TW_COPY(b, a, n); /* the transformation: the follow-up's input from the source's */
    TW_REVERSE(b, n);

    int source = RUN(maxsub(a, n)); /* the two runs */
    int follow_up = RUN(maxsub(b, n));

    CHECK_EQ(source, follow_up); /* the property between them */
}

/* One more element at the end can only make the best sum greater. */
RELATION(longer) {
    int a[7];
    int n = tw_len("n", 1, 6);
    tw_i32s("a", a, n + 1, -1000, 1000);
    CHECK_LE(RUN(maxsub(a, n)), RUN(maxsub(a, n + 1)));
}
