#include "../common/comer.h"

typedef struct {
    int first, last;
} Places;
Places search_range(const int *a, int n, int key);

enum { SAME, NEGATIVE, POSITIVE, ZERO, KEY, RANK, FRONT, DATA, MOST = 160 };

/* The sorted array. The last `front` of the negative numbers are smaller than everything else. */
static int make(const double *test, int *a) {
    int front = (int)test[FRONT];
    int negative = (int)test[NEGATIVE] - front;
    int n = make_numbers(a, (int)test[SAME], negative < 0 ? 0 : negative, (int)test[POSITIVE], (int)test[ZERO], test[DATA]);
    for (int i = 0; i < front && i < (int)test[NEGATIVE]; i++)
        a[n++] = -1000 - i;
    put_in_order(a, n, 0, 0);
    return n;
}

/* The distinct value of a rank among those that are not in front, or the least one beyond the end. */
static int distinct(const int *a, int n, int rank, int *found) {
    int seen = -1;
    for (int i = 0; i < n; i++) {
        if (a[i] <= -1000)
            continue;
        if (i == 0 || a[i] != a[i - 1])
            seen++;
        if (seen == rank) {
            *found = 1;
            return a[i];
        }
    }
    *found = 0;
    return 5000;
}

void run(const double *test, Output *output) {
    int a[MOST];
    int n = make(test, a);
    int found;
    int key = 0;
    switch ((int)test[KEY]) {
    case 0: key = -9999; break;
    case 1: key = 100 + element(test[DATA], 5, 0, 100); break;
    case 2: key = distinct(a, n, (int)test[RANK], &found); break;
    case 3: key = 9999; break;
    default: key = element(test[DATA], 6, 0, 100) - 50;
    }
    Places places = search_range(a, n, key);
    put(output, places.first);
    put(output, places.last);
}

RULE(next_key) {
    int a[MOST];
    int found;
    int n = make(follow, a);
    distinct(a, n, (int)follow[RANK], &found);
    (void)source;
    return !found || second->value[0] == first->value[1] + 1;
}

RULE(smaller_first) {
    UNUSED_TESTS;
    double by = first->value[0] < 0 ? 0 : 1;
    return second->value[0] == first->value[0] + by && second->value[1] == first->value[1] + by;
}

RULES({"next key", next_key}, {"smaller first", smaller_first})
