#include <twinrun.h>

#include "editing_distance.h"

enum { MOST = 5 };

static int run(const char *from, const char *to, const Costs *costs) {
    GIVEN_TEXT("from", from);
    GIVEN_TEXT("to", to);
    int distance = RUN(editing_distance(from, to, costs));
    OUTPUT("distance", distance);
    return distance;
}

/* Both strings read backwards. */
RELATION(reverse) {
    char from[MOST + 1], to[MOST + 1];
    int n = tw_text("from", from, MOST, "abc");
    int m = tw_text("to", to, MOST, "abc");
    Costs costs;
    costs.insert = tw_i32("insert", 1, 5);
    costs.remove = tw_i32("remove", 1, 5);
    costs.substitute = tw_i32("substitute", 1, 5);
    costs.exchange = tw_i32("exchange", 1, 5);
    int source = run(from, to, &costs);
    TW_REVERSE(from, n);
    TW_REVERSE(to, m);
    int follow_up = run(from, to, &costs);
    CHECK_EQ(source, follow_up);
}
