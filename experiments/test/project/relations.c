#include <twinrun.h>

#include "kernels.h"

RELATION(maxsub_reverse) {
    int a[6], b[6];
    int n = tw_len("n", 1, 6);
    tw_i32s("a", a, n, -1000, 1000);
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
    int source = RUN(maxsub(a, n));
    int follow_up = RUN(maxsub(b, n));
    CHECK_EQ(source, follow_up);
}

RELATION(sort_reverse) {
    int a[32], b[32];
    int n = tw_len("n", 1, 32);
    tw_i32s("a", a, n, -1000, 1000);
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
    RUN(insertion_sort(a, n));
    RUN(insertion_sort(b, n));
    CHECK_I32S(a, b, n);
}

RELATION(regex_dot) {
    char pattern[9], follow[9], text[17];
    int n = tw_text("pattern", pattern, 8, "ab.*");
    tw_text("text", text, 16, "ab");
    ASSUME(pattern[0] != '*');
    for (int i = 0; i + 1 < n; i++)
        ASSUME(!(pattern[i] == '*' && pattern[i + 1] == '*'));
    for (int i = 0; i <= n; i++)
        follow[i] = pattern[i] == 'a' ? '.' : pattern[i];
    int source = RUN(matches(pattern, text));
    int follow_up = RUN(matches(follow, text));
    CHECK_LE(source, follow_up);
}

RELATION(paths_double) {
    int weight[64], twice[64];
    int n = tw_len("n", 2, 8);
    tw_i32s("weight", weight, n * n, 0, 20);
    for (int i = 0; i < n * n; i++)
        twice[i] = 2 * weight[i];
    int source = RUN(shortest(weight, n, 0, n - 1));
    int follow_up = RUN(shortest(twice, n, 0, n - 1));
    ASSUME(source < 1 << 20);
    CHECK_EQ(2 * source, follow_up);
}
