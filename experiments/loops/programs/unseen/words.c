/* Counts words: a state that is carried from one character to the next. */
#include <twinrun.h>

static int words(const char *text) {
    int count = 0, inside = 0;
    for (int i = 0; text[i] != '\0'; i++) {
        if (text[i] == ' ') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            count++;
        }
    }
    return count;
}

RELATION(true_reversed) {
    char text[11] = {0}, reversed[11] = {0};
    int n = tw_text("text", text, 10, "ab ");
    text[n] = 0;
    for (int i = 0; i < n; i++) reversed[i] = text[n - 1 - i];
    int source = RUN(words(text));
    int follow_up = RUN(words(reversed));
    CHECK_EQ(source, follow_up);
}

RELATION(false_one_letter_more) {
    char text[12] = {0}, longer[12] = {0};
    int n = tw_text("text", text, 10, "ab ");
    text[n] = 0;
    for (int i = 0; i < n; i++) longer[i] = text[i];
    longer[n] = 'a';
    int source = RUN(words(text));
    int follow_up = RUN(words(longer));
    CHECK_EQ(follow_up, source + 1);
}
