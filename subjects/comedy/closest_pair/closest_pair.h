/* The two nearest of a set of points in the plane, with whole coordinates. */
#include <stdbool.h>

enum { MOST_POINTS = 16, LARGEST_COORDINATE = 10000 };

typedef struct {
    int x, y;
} Point;

typedef struct {
    int count;
    Point points[MOST_POINTS];
} PointSet;

typedef enum { OK, TOO_FEW, TOO_MANY, TOO_FAR, BROKEN } Status;

typedef struct {
    Status status;
    Point first, second;
    int squared; /* the square of their distance */
} Closest;

/* The coordinates come as x, y, x, y …; `count` is the number of points. */
Status point_set_build(PointSet *set, const int *coordinates, int count);
Closest closest_pair(const int *coordinates, int count);
