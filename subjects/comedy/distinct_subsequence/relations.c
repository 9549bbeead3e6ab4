#include <twinrun.h>

#include "distinct_subsequence.h"

enum { TEXT = 7, WANTED = 3 };

static int run(const char *text, const char *wanted) {
    GIVEN_TEXT("text", text);
    GIVEN_TEXT("wanted", wanted);
    int ways = RUN(distinct_subsequences(text, wanted));
    OUTPUT("ways", ways);
    return ways;
}

RELATION(reverse) {
    char text[TEXT + 1], wanted[WANTED + 1];
    int n = tw_text("text", text, TEXT, "abc");
    int m = tw_text("wanted", wanted, WANTED, "abc");
    int source = run(text, wanted);
    TW_REVERSE(text, n);
    TW_REVERSE(wanted, m);
    int follow_up = run(text, wanted);
    CHECK_EQ(source, follow_up);
}
