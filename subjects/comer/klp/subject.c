#include <string.h>

#include "../common/comer.h"

enum { SIDE = 34 };
int keys_needed(char opens[SIDE][SIDE], int keys, int locks);

enum { KEYS, LOCKS, SHARE, HAS_SHARE, USELESS, EASY, DATA };

/* The last keys open only the easy locks, which are the last ones and which every key opens. */
void run(const double *test, Output *output) {
    static char opens[SIDE][SIDE];
    memset(opens, 0, sizeof opens);
    int keys = (int)(test[KEYS] - test[USELESS]), locks = (int)(test[LOCKS] - test[EASY]);
    double share = test[HAS_SHARE] > 0 ? test[SHARE] : 0.2;
    for (int lock = 0; lock < locks; lock++) {
        for (int key = 0; key < keys; key++)
            opens[key][lock] = element(test[DATA], 1, key * 64 + lock, 1000) < share * 1000;
        opens[element(test[DATA], 2, lock, keys)][lock] = 1;
    }
    for (int lock = locks; lock < (int)test[LOCKS]; lock++)
        for (int key = 0; key < (int)test[KEYS]; key++)
            opens[key][lock] = 1;
    put(output, keys_needed(opens, (int)test[KEYS], (int)test[LOCKS]));
}

RULE(same_answer) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"useless key", same_answer}, {"easy lock", same_answer})
