/* The largest sum of at most `segments` disjoint, not adjacent subarrays; choosing none has the sum 0. */
#include "multi_maxsub.h"

enum { NONE = -1000000 };

static int larger(int x, int y) {
    if (x > y)
        return x;
    return y;
}

int multi_maxsub(const int *a, int n, int segments) {
    /* Best sums with j segments over the elements so far: inside the j-th one, or just after it. */
    int inside[MOST_SEGMENTS + 1];
    int outside[MOST_SEGMENTS + 1];

    if (n <= 0)
        return 0;
    if (segments <= 0)
        return 0;
    if (segments > MOST_SEGMENTS)
        segments = MOST_SEGMENTS;

    for (int j = 0; j <= segments; j++) {
        inside[j] = NONE;
        outside[j] = NONE;
    }
    outside[0] = 0;

    for (int i = 0; i < n; i++) {
        /* From the most segments to the fewest, so that each row still sees the last element's values. */
        for (int j = segments; j >= 1; j--) {
            int ended = larger(outside[j], inside[j]);
            int opened = NONE;
            int continued = NONE;
            if (outside[j - 1] > NONE)
                opened = outside[j - 1] + a[i];
            if (inside[j] > NONE)
                continued = inside[j] + a[i];
            inside[j] = larger(opened, continued);
            outside[j] = ended;
        }
    }

    int best = 0;
    for (int j = 1; j <= segments; j++) {
        if (inside[j] > best)
            best = inside[j];
        if (outside[j] > best)
            best = outside[j];
    }
    return best;
}
