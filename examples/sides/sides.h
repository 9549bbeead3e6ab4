/* What kind of triangle three sides make. */
enum kind { NO_TRIANGLE, EQUILATERAL, ISOSCELES, SCALENE };

enum kind sides(int a, int b, int c);
