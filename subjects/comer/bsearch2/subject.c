#include "../common/comer.h"

int search(const int *a, int n, int key, int *place);

enum { SAME, POSITIVE, ZERO, KEY, SCALED, RANK, DATA, MOST = 128 };

void run(const double *test, Output *output) {
    int a[MOST];
    int n = make_numbers(a, (int)test[SAME], 0, (int)test[POSITIVE], (int)test[ZERO], test[DATA]);
    put_in_order(a, n, 0, 0);
    int keys[] = {-7, 60, a[(int)test[RANK] % n], 9999, element(test[DATA], 6, 0, 60)};
    int key = keys[(int)test[KEY]];
    int factor = test[SCALED] > 0 ? 3 : 1;
    for (int i = 0; i < n; i++)
        a[i] *= factor;
    int place = -1;
    put(output, search(a, n, key * factor, &place));
    put(output, place);
}

RULE(same) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"scale", same})
