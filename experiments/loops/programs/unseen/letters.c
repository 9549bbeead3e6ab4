/* Counts a letter in a text that ends with zero. */
#include <twinrun.h>
#include <string.h>

static int letters(const char *text, char letter) {
    int count = 0;
    while (*text != 0) {
        if (*text == letter) count++;
        text++;
    }
    return count;
}

RELATION(true_reversed) {
    char text[13] = {0}, reversed[13] = {0};
    int n = tw_text("text", text, 12, "abc ");
    text[n] = 0;
    for (int i = 0; i < n; i++) reversed[i] = text[n - 1 - i];
    int source = RUN(letters(text, 'a'));
    int follow_up = RUN(letters(reversed, 'a'));
    CHECK_EQ(source, follow_up);
}

RELATION(false_without_the_first) {
    char text[13] = {0};
    int n = tw_text_between("text", text, 1, 12, "abc ");
    text[n] = 0;
    int source = RUN(letters(text, 'a'));
    int follow_up = RUN(letters(text + 1, 'a'));
    CHECK_EQ(source, follow_up);
}
