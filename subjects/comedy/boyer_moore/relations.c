#include <twinrun.h>

#include "boyer_moore.h"

enum { TEXT = 9, PATTERN = 4 };

static int run(const char *text, const char *pattern, int *matches) {
    GIVEN_TEXT("text", text);
    GIVEN_TEXT("pattern", pattern);
    int count = RUN(boyer_moore(text, pattern, matches, TEXT));
    OUTPUT("count", count);
    if (count > 0) OUTPUT_I32S("matches", matches, count < TEXT ? count : TEXT);
    return count;
}

/* Text and pattern read backwards match at the mirrored places. */
RELATION(reverse) {
    char text[TEXT + 1], pattern[PATTERN + 1];
    int source_at[TEXT], follow_up_at[TEXT];
    int n = tw_text("text", text, TEXT, "abc");
    int m = tw_text_between("pattern", pattern, 1, PATTERN, "abc");
    int source = run(text, pattern, source_at);
    TW_REVERSE(text, n);
    TW_REVERSE(pattern, m);
    int follow_up = run(text, pattern, follow_up_at);
    CHECK_EQ(source, follow_up);
    for (int i = 0; i < source; i++) CHECK_EQ(n - m - source_at[i], follow_up_at[source - 1 - i]);
}
