#include <twinrun.h>

#include "largest.h"

enum { MOST = 6 };

static int answer(const int *numbers, int n) {
    GIVEN_I32S("numbers", numbers, n);
    int best = RUN(largest(numbers, n));
    OUTPUT("best", best);
    return best;
}

/* The largest number is the same from behind. */
RELATION(reverse) {
    int a[MOST], b[MOST], n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -50, 50);
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];
    CHECK_EQ(answer(a, n), answer(b, n));
}

/* All numbers larger by one: so is the largest. */
RELATION(add_one) {
    int a[MOST], b[MOST], n = tw_len("n", 1, MOST);
    tw_i32s("a", a, n, -50, 50);
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    CHECK_EQ(answer(a, n) + 1, answer(b, n));
}
