/* Can `mixed` be read as the two strings interleaved, each in its own order? */
#include "interleaving_string.h"

static int length_of(const char *text) {
    int length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

/* Does the end of this prefix of `mixed` come from the given string? */
static bool comes_from(const char *text, int used, const char *mixed, int total) {
    if (used == 0)
        return false;
    return text[used - 1] == mixed[total - 1];
}

bool is_interleaving(const char *first, const char *second, const char *mixed) {
    /* possible[i][j]: the first i + j characters are i of the first and j of the second string. */
    bool possible[MOST_LENGTH + 1][MOST_LENGTH + 1];
    int n = length_of(first);
    int m = length_of(second);

    if (n > MOST_LENGTH || m > MOST_LENGTH)
        return false;
    if (n + m != length_of(mixed))
        return false;
    if (n == 0 && m == 0)
        return true;

    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 && j == 0) {
                possible[i][j] = true;
                continue;
            }
            possible[i][j] = false;
            if (comes_from(first, i, mixed, i + j)) {
                if (possible[i - 1][j])
                    possible[i][j] = true;
            }
            if (comes_from(second, j, mixed, i + j)) {
                if (possible[i][j - 1])
                    possible[i][j] = true;
            }
        }
    }
    return possible[n][m];
}
