/* What kind of triangle three sides make, and its area. */
enum triangle { NO_TRIANGLE, EQUILATERAL, ISOSCELES, SCALENE };

enum triangle triangle_kind(int a, int b, int c);
double triangle_area(int a, int b, int c); /* 0 if it is none */
