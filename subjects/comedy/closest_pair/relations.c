#include <twinrun.h>

#include "closest_pair.h"

enum { MOST = 7 };

static Closest run(const int *coordinates, int count) {
    GIVEN_I32S("coordinates", coordinates, 2 * count);
    Closest answer = RUN(closest_pair(coordinates, count));
    OUTPUT("status", answer.status);
    OUTPUT("squared", answer.squared);
    return answer;
}

/* Every point mirrored at the diagonal: x and y exchanged. */
RELATION(transpose) {
    int coordinates[2 * MOST], transposed[2 * MOST];
    int count = tw_len("count", 2, MOST);
    tw_i32s("coordinates", coordinates, 2 * count, -20, 20);
    for (int i = 0; i < count; i++) {
        transposed[2 * i] = coordinates[2 * i + 1];
        transposed[2 * i + 1] = coordinates[2 * i];
    }
    Closest source = run(coordinates, count);
    Closest follow_up = run(transposed, count);
    CHECK_EQ(source.status, follow_up.status);
    CHECK_EQ(source.squared, follow_up.squared);
}
