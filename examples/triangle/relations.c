#include <twinrun.h>

#include "triangle.h"

static int kind(int a, int b, int c) {
    GIVEN("a", a);
    GIVEN("b", b);
    GIVEN("c", c);
    int answer = RUN(triangle_kind(a, b, c));
    OUTPUT("kind", answer);
    return answer;
}

static double area(int a, int b, int c) {
    GIVEN("a", a);
    GIVEN("b", b);
    GIVEN("c", c);
    double answer = RUN(triangle_area(a, b, c));
    OUTPUT("area", answer);
    return answer;
}

/* The kind does not depend on the side one starts with. */
RELATION(rotate) {
    int a = tw_i32("a", -1, 100), b = tw_i32("b", -1, 100), c = tw_i32("c", -1, 100);
    int source = kind(a, b, c);
    int follow_up = kind(b, c, a);
    CHECK_EQ(source, follow_up);
}

/* Nor does it depend on the size. */
RELATION(enlarge) {
    int a = tw_i32("a", -1, 100), b = tw_i32("b", -1, 100), c = tw_i32("c", -1, 100);
    int factor = tw_i32("factor", 2, 10);
    int source = kind(a, b, c);
    int follow_up = kind(factor * a, factor * b, factor * c);
    CHECK_EQ(source, follow_up);
}

/* The area of a triangle twice as large is four times as large. */
RELATION(double_the_sides) {
    int a = tw_i32("a", 1, 100), b = tw_i32("b", 1, 100), c = tw_i32("c", 1, 100);
    double source = area(a, b, c);
    double follow_up = area(2 * a, 2 * b, 2 * c);
    CHECK_NEAR(4 * source, follow_up, 1e-6);
}

/* The area does not depend on the order of the sides. */
RELATION(swap) {
    int a = tw_i32("a", 1, 100), b = tw_i32("b", 1, 100), c = tw_i32("c", 1, 100);
    double source = area(a, b, c);
    double follow_up = area(c, b, a);
    CHECK_NEAR(source, follow_up, 1e-6);
}
