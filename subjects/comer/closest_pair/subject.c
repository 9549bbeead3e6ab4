#include "../common/comer.h"

typedef struct {
    long x, y;
} Point;
long closest_pair(Point *points, int count);

enum { POINTS, FIRST, SECOND, THIRD, DATA, MOST = 64 };

void run(const double *test, Output *output) {
    Point points[MOST];
    int n = (int)test[POINTS];
    for (int i = 0; i < n; i++) {
        /* Shares of the quadrants, eight points at a time, so that a point never moves when others are added. */
        double share = (i % 8 + 0.5) / 8;
        int quadrant = share < test[FIRST] ? 0 : share < test[FIRST] + test[SECOND] ? 1 : share < test[FIRST] + test[SECOND] + test[THIRD] ? 2 : 3;
        long x = 1 + element(test[DATA], 1, i, 200), y = 1 + element(test[DATA], 2, i, 200);
        points[i].x = quadrant == 1 || quadrant == 2 ? -x : x;
        points[i].y = quadrant >= 2 ? -y : y;
    }
    put(output, (double)closest_pair(points, n));
}

RULE(not_larger) {
    UNUSED_TESTS;
    return second->value[0] <= first->value[0];
}

RULES({"one more point", not_larger})
