/* All places where a pattern occurs in a text, overlapping ones too (Boyer and Moore, with both shift rules). Says how many there
 * are; the first ones go to `matches` as long as there is room; -1 if the pattern is empty or too long. */
#include "boyer_moore.h"

enum { CHARACTERS = 256 };

static int length_of(const char *text) {
    int length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* Where each character occurs last in the pattern. */
static void find_last_occurrences(const char *pattern, int m, int *last) {
    for (int c = 0; c < CHARACTERS; c++)
        last[c] = -1;
    for (int i = 0; i < m; i++)
        last[(unsigned char)pattern[i]] = i;
}

/* shift[i]: how far to move when the pattern matched from index i on and not before. */
static void find_good_shifts(const char *pattern, int m, int *shift) {
    int border[MOST_PATTERN + 1];
    for (int i = 0; i <= m; i++)
        shift[i] = 0;

    /* The matched end occurs once more in the pattern, behind another character. */
    int i = m;
    int j = m + 1;
    border[i] = j;
    while (i > 0) {
        while (j <= m && pattern[i - 1] != pattern[j - 1]) {
            if (shift[j] == 0)
                shift[j] = j - i;
            j = border[j];
        }
        i--;
        j--;
        border[i] = j;
    }

    /* Only a part of the matched end occurs once more, at the beginning of the pattern. */
    j = border[0];
    for (i = 0; i <= m; i++) {
        if (shift[i] == 0)
            shift[i] = j;
        if (i == j)
            j = border[j];
    }
}

int boyer_moore(const char *text, const char *pattern, int *matches, int room) {
    int last[CHARACTERS];
    int shift[MOST_PATTERN + 1];
    int n = length_of(text);
    int m = length_of(pattern);
    if (m == 0 || m > MOST_PATTERN)
        return -1;
    find_last_occurrences(pattern, m, last);
    find_good_shifts(pattern, m, shift);

    int count = 0;
    int at = 0;
    while (at <= n - m) {
        int i = m - 1;
        while (i >= 0 && pattern[i] == text[at + i])
            i--;
        if (i < 0) {
            if (count < room)
                matches[count] = at;
            count++;
            at += shift[0];
        } else {
            int step = shift[i + 1];
            int bad = i - last[(unsigned char)text[at + i]];
            if (bad > step)
                step = bad;
            at += step;
        }
    }
    return count;
}
