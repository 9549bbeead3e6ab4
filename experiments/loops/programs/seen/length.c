/* The length of a text that ends with zero, without the spaces behind it. */
#include <twinrun.h>

static int length(const char *text) {
    const char *end = text;
    while (*end) end++;
    while (end > text && end[-1] == ' ') end--;
    return (int)(end - text);
}

static char text[12], longer[14];

RELATION(true_spaces_behind) {
    int n = tw_text("text", text, 10, "ab ");
    text[n] = 0;
    for (int i = 0; i < n; i++) longer[i] = text[i];
    longer[n] = ' ';
    longer[n + 1] = 0;
    int source = RUN(length(text));
    int follow_up = RUN(length(longer));
    CHECK_EQ(follow_up, source);
}

RELATION(false_spaces_before) {
    int n = tw_text("text", text, 10, "ab ");
    text[n] = 0;
    longer[0] = ' ';
    for (int i = 0; i <= n; i++) longer[i + 1] = text[i];
    int source = RUN(length(text));
    int follow_up = RUN(length(longer));
    CHECK_EQ(follow_up, source);
}
