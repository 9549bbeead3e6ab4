#include <twinrun.h>

#include "sides.h"

static int kind(int a, int b, int c) {
    GIVEN("a", a);
    GIVEN("b", b);
    GIVEN("c", c);
    int answer = RUN(sides(a, b, c));
    OUTPUT("kind", answer);
    return answer;
}

/* The kind does not depend on the side one starts with. */
RELATION(rotate) {
    int a = tw_i32("a", 0, 20), b = tw_i32("b", 0, 20), c = tw_i32("c", 0, 20);
    CHECK_EQ(kind(a, b, c), kind(b, c, a));
}

/* Nor does it depend on the size. */
RELATION(enlarge) {
    int a = tw_i32("a", 0, 20), b = tw_i32("b", 0, 20), c = tw_i32("c", 0, 20), factor = tw_i32("factor", 2, 5);
    CHECK_EQ(kind(a, b, c), kind(factor * a, factor * b, factor * c));
}
