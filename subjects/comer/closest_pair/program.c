/* The squared distance of the two closest points: sorted by x, halves, and the strip between them. */
typedef struct {
    long x, y;
} Point;

long closest_pair(Point *points, int count);

enum { MOST_POINTS = 64 };

static long square(long x) {
    return x * x;
}

static long distance(Point p, Point q) {
    return square(p.x - q.x) + square(p.y - q.y);
}

static void sort_by_x(Point *p, int n) {
    for (int i = 1; i < n; i++) {
        Point own = p[i];
        int j = i - 1;
        while (j >= 0 && p[j].x > own.x) {
            p[j + 1] = p[j];
            j--;
        }
        p[j + 1] = own;
    }
}

static void sort_by_y(Point *p, int n) {
    for (int i = 1; i < n; i++) {
        Point own = p[i];
        int j = i - 1;
        while (j >= 0 && p[j].y > own.y) {
            p[j + 1] = p[j];
            j--;
        }
        p[j + 1] = own;
    }
}

static long closest(Point *p, int n) {
    long best = 1000000000;
    if (n <= 3) {
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                if (distance(p[i], p[j]) < best)
                    best = distance(p[i], p[j]);
            }
        }
        return best;
    }
    int middle = n / 2;
    long line = p[middle].x;
    long left = closest(p, middle);
    long right = closest(p + middle, n - middle);
    best = left < right ? left : right;
    Point strip[MOST_POINTS];
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (square(p[i].x - line) < best)
            strip[count++] = p[i];
    }
    sort_by_y(strip, count);
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count && square(strip[j].y - strip[i].y) < best; j++) {
            if (distance(strip[i], strip[j]) < best)
                best = distance(strip[i], strip[j]);
        }
    }
    return best;
}

long closest_pair(Point *points, int count) {
    sort_by_x(points, count);
    return closest(points, count);
}
