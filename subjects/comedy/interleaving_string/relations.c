#include <twinrun.h>

#include "interleaving_string.h"

enum { MOST = 4 };

static bool run(const char *first, const char *second, const char *mixed) {
    GIVEN_TEXT("first", first);
    GIVEN_TEXT("second", second);
    GIVEN_TEXT("mixed", mixed);
    bool answer = RUN(is_interleaving(first, second, mixed));
    OUTPUT("answer", answer);
    return answer;
}

/* Read backwards, all three strings. */
RELATION(reverse) {
    char first[MOST + 1], second[MOST + 1], mixed[2 * MOST + 1];
    int n = tw_text("first", first, MOST, "ab");
    int m = tw_text("second", second, MOST, "ab");
    int total = tw_text_between("mixed", mixed, n + m, n + m, "ab");
    bool source = run(first, second, mixed);
    TW_REVERSE(first, n);
    TW_REVERSE(second, m);
    TW_REVERSE(mixed, total);
    bool follow_up = run(first, second, mixed);
    CHECK_EQ(source, follow_up);
}
