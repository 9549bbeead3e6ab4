#include "abi.h"

int maxsub(const int *a, int n) {
    int best = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (sum < 0)
            sum = 0;
        if (sum > best)
            best = sum;
    }
    return best;
}

/* The fault: `sum` is never set back. */
int maxsub_bad(const int *a, int n) {
    int best = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (sum > best)
            best = sum;
    }
    return best;
}

RELATION(reverse) {
    int a[6], b[6];
    int n = (int)tw_int(N("n"), 5, 1, 6);
    tw_ints(N("a"), 0, a, -1, n, -1000, 1000);
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
    int source = RUN(maxsub(a, n));
    int follow_up = RUN(maxsub(b, n));
    CHECK_EQ(source, follow_up);
}

RELATION(reverse_bad) {
    int a[6], b[6];
    int n = (int)tw_int(N("n"), 5, 1, 6);
    tw_ints(N("a"), 0, a, -1, n, -1000, 1000);
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
    tw_given_ints(N("a"), 0, a, n);
    int source = RUN(maxsub_bad(a, n));
    tw_output_int(N("best"), source);
    tw_given_ints(N("a"), 0, b, n);
    int follow_up = RUN(maxsub_bad(b, n));
    tw_output_int(N("best"), follow_up);
    CHECK_EQ(source, follow_up);
}

void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

RELATION(sort_reverse) {
    int a[32], b[32];
    int n = (int)tw_int(N("n"), 5, 1, 32);
    tw_ints(N("a"), 0, a, -1, n, -1000, 1000);
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
    RUN_VOID(sort(a, n));
    RUN_VOID(sort(b, n));
    tw_check_bytes(a, n * 4, b, n * 4, N("a == b"), __LINE__);
}

int state(int mode, char c) {
    switch (mode) {
    case 0: return c == '/' ? 1 : 0;
    case 1: return c == '*' ? 2 : c == '/' ? 1 : 0;
    case 2: return c == '*' ? 3 : 2;
    case 3: return c == '/' ? 0 : c == '*' ? 3 : 2;
    default: return 0;
    }
}

int comments(const char *text, int n) {
    int mode = 0, count = 0;
    for (int i = 0; i < n; i++) {
        int next = state(mode, text[i]);
        count += mode == 3 && next == 0;
        mode = next;
    }
    return count;
}

RELATION(comments_prefix) {
    char text[65];
    int n = tw_text(N("text"), text + 1, 0, 64, N("/* a"));
    text[0] = 'a';
    int source = RUN(comments(text + 1, n));
    int follow_up = RUN(comments(text, n + 1));
    CHECK_EQ(source, follow_up);
}

/* More runs than there are slots for, some inside others, and a check in the middle of a run. */
int many(const int *a, int n, int depth) {
    if (depth == 0)
        return maxsub(a, n);
    return RUN(many(a, n, depth - 1));
}

RELATION(many_runs) {
    int a[4];
    int n = (int)tw_int(N("n"), 5, 1, 4);
    tw_ints(N("a"), 0, a, -1, n, -10, 10);
    int first = RUN(maxsub(a, n));
    for (int i = 0; i < 20; i++)
        CHECK_EQ(first, RUN(many(a, n, i % 4)));
    tw_run_begin();
    tw_check(first < 8, N("first < 8"), __LINE__);
    maxsub(a, n);
    tw_run_end();
}
