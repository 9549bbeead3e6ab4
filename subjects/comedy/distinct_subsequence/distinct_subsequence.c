/* In how many ways `wanted` can be had from the text by striking out characters; -1 if it is too long. */
#include "distinct_subsequence.h"

int distinct_subsequences(const char *text, const char *wanted) {
    int ways[MOST_WANTED + 1];
    int m = 0;
    while (wanted[m] != 0) {
        if (m == MOST_WANTED)
            return -1;
        m++;
    }
    ways[0] = 1;
    for (int j = 1; j <= m; j++)
        ways[j] = 0;
    for (int i = 0; text[i] != 0; i++) {
        /* Backwards, so that no character of the text is used twice. */
        for (int j = m; j > 0; j--) {
            if (text[i] == wanted[j - 1])
                ways[j] += ways[j - 1];
        }
    }
    return ways[m];
}
