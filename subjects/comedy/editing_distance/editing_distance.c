/* The least cost of edits that turn one string into another: insert, remove, substitute a character, exchange two neighbours (that
 * are not edited again); -1 if a string is too long. */
#include "editing_distance.h"

static int length_of(const char *text) {
    int length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

static int smaller(int x, int y) {
    if (x < y)
        return x;
    return y;
}

/* Do the two prefixes end with the same two characters in opposite order? */
static int exchanged(const char *from, int i, const char *to, int j) {
    if (i < 2 || j < 2)
        return 0;
    if (from[i - 1] != to[j - 2])
        return 0;
    if (from[i - 2] != to[j - 1])
        return 0;
    return 1;
}

int editing_distance(const char *from, const char *to, const Costs *costs) {
    int cost[MOST_LENGTH + 1][MOST_LENGTH + 1];
    int n = length_of(from);
    int m = length_of(to);
    if (n > MOST_LENGTH || m > MOST_LENGTH)
        return -1;

    cost[0][0] = 0;
    for (int i = 1; i <= n; i++)
        cost[i][0] = cost[i - 1][0] + costs->remove;
    for (int j = 1; j <= m; j++)
        cost[0][j] = cost[0][j - 1] + costs->insert;

    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++) {
            int best = cost[i - 1][j - 1];
            if (from[i - 1] != to[j - 1])
                best = best + costs->substitute;
            best = smaller(best, cost[i - 1][j] + costs->remove);
            best = smaller(best, cost[i][j - 1] + costs->insert);
            if (exchanged(from, i, to, j))
                best = smaller(best, cost[i - 2][j - 2] + costs->exchange);
            cost[i][j] = best;
        }
    }
    return cost[n][m];
}
