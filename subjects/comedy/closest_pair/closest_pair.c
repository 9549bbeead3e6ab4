/* Divide and conquer: sort by x, solve both halves, merge by y, look across the line between them. */
#include "closest_pair.h"

/* ---- Points ---- */

static int difference(int a, int b) {
    if (a > b)
        return a - b;
    return b - a;
}

static int squared_distance(Point p, Point q) {
    int dx = difference(p.x, q.x);
    int dy = difference(p.y, q.y);
    return dx * dx + dy * dy;
}

/* Less than, equal to, greater than zero: by x, then by y. */
static int compare_by_x(Point p, Point q) {
    if (p.x < q.x)
        return -1;
    if (p.x > q.x)
        return 1;
    if (p.y < q.y)
        return -1;
    if (p.y > q.y)
        return 1;
    return 0;
}

/* By y, then by x. */
static int compare_by_y(Point p, Point q) {
    if (p.y < q.y)
        return -1;
    if (p.y > q.y)
        return 1;
    if (p.x < q.x)
        return -1;
    if (p.x > q.x)
        return 1;
    return 0;
}

static bool is_same(Point p, Point q) {
    return p.x == q.x && p.y == q.y;
}

static bool in_range(int coordinate) {
    if (coordinate < -LARGEST_COORDINATE)
        return false;
    if (coordinate > LARGEST_COORDINATE)
        return false;
    return true;
}

/* ---- Reading ---- */

Status point_set_build(PointSet *set, const int *coordinates, int count) {
    set->count = 0;
    if (count > MOST_POINTS)
        return TOO_MANY;
    for (int i = 0; i < count; i++) {
        Point point;
        point.x = coordinates[2 * i];
        point.y = coordinates[2 * i + 1];
        if (!in_range(point.x) || !in_range(point.y))
            return TOO_FAR;
        set->points[set->count] = point;
        set->count++;
    }
    if (set->count < 2)
        return TOO_FEW;
    return OK;
}

/* ---- Merge sort ---- */

typedef int (*Compare)(Point, Point);

static void copy_points(Point *to, const Point *from, int low, int high) {
    for (int i = low; i <= high; i++)
        to[i] = from[i];
}

/* Merges a[low..middle] and a[middle+1..high], each in order. */
static void merge(Point *a, Point *spare, int low, int middle, int high, Compare compare) {
    copy_points(spare, a, low, high);
    int i = low;
    int j = middle + 1;
    for (int k = low; k <= high; k++) {
        if (i > middle) {
            a[k] = spare[j];
            j++;
        } else if (j > high) {
            a[k] = spare[i];
            i++;
        } else if (compare(spare[j], spare[i]) < 0) {
            a[k] = spare[j];
            j++;
        } else {
            a[k] = spare[i];
            i++;
        }
    }
}

static void insertion_sort(Point *a, int low, int high, Compare compare) {
    for (int i = low + 1; i <= high; i++) {
        Point point = a[i];
        int j = i;
        while (j > low && compare(point, a[j - 1]) < 0) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = point;
    }
}

enum { SHORT = 3 };

static void sort(Point *a, Point *spare, int low, int high, Compare compare) {
    if (high - low < SHORT) {
        insertion_sort(a, low, high, compare);
        return;
    }
    int middle = low + (high - low) / 2;
    sort(a, spare, low, middle, compare);
    sort(a, spare, middle + 1, high, compare);
    if (compare(a[middle], a[middle + 1]) <= 0)
        return;
    merge(a, spare, low, middle, high, compare);
}

static bool is_sorted(const Point *a, int low, int high, Compare compare) {
    for (int i = low + 1; i <= high; i++) {
        if (compare(a[i - 1], a[i]) > 0)
            return false;
    }
    return true;
}

/* ---- The search ---- */

typedef struct {
    Point by_x[MOST_POINTS];
    Point by_y[MOST_POINTS];
    Point spare[MOST_POINTS];
    Closest best;
    bool found;
} Search;

static void offer(Search *search, Point p, Point q) {
    int squared = squared_distance(p, q);
    if (search->found && squared >= search->best.squared)
        return;
    search->found = true;
    search->best.squared = squared;
    search->best.first = p;
    search->best.second = q;
}

/* Two neighbours in the order by x that are the same point end the search. */
static bool find_twins(Search *search, int count) {
    for (int i = 1; i < count; i++) {
        if (is_same(search->by_x[i - 1], search->by_x[i])) {
            offer(search, search->by_x[i - 1], search->by_x[i]);
            return true;
        }
    }
    return false;
}

/* Every pair of a few points; they are then put in order by y. */
static void compare_all(Search *search, int low, int high) {
    for (int i = low; i <= high; i++) {
        for (int j = i + 1; j <= high; j++)
            offer(search, search->by_y[i], search->by_y[j]);
    }
    insertion_sort(search->by_y, low, high, compare_by_y);
}

/* The points near the line between the halves, still in order by y. */
static int collect_strip(Search *search, int low, int high, int line) {
    int count = 0;
    for (int i = low; i <= high; i++) {
        int away = difference(search->by_y[i].x, line);
        if (away * away < search->best.squared) {
            search->spare[count] = search->by_y[i];
            count++;
        }
    }
    return count;
}

/* In a strip only the next few points by y can be nearer than what is known. */
static void compare_strip(Search *search, int count) {
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            int above = search->spare[j].y - search->spare[i].y;
            if (above * above >= search->best.squared)
                break;
            offer(search, search->spare[i], search->spare[j]);
        }
    }
}

/* Before: by_y[low..high] is in order by x. After: it is in order by y, and the best pair among them is known. */
static void closest(Search *search, int low, int high) {
    if (high - low < SHORT) {
        compare_all(search, low, high);
        return;
    }
    int middle = low + (high - low) / 2;
    int line = search->by_x[middle].x;
    closest(search, low, middle);
    closest(search, middle + 1, high);
    merge(search->by_y, search->spare, low, middle, high, compare_by_y);
    int count = collect_strip(search, low, high, line);
    compare_strip(search, count);
}

/* ---- Checking ---- */

static bool is_member(const PointSet *set, Point point) {
    for (int i = 0; i < set->count; i++) {
        if (is_same(set->points[i], point))
            return true;
    }
    return false;
}

static Status check(const PointSet *set, const Search *search) {
    if (!search->found)
        return BROKEN;
    if (!is_sorted(search->by_x, 0, set->count - 1, compare_by_x))
        return BROKEN;
    if (!is_member(set, search->best.first))
        return BROKEN;
    if (!is_member(set, search->best.second))
        return BROKEN;
    if (squared_distance(search->best.first, search->best.second) != search->best.squared)
        return BROKEN;
    return OK;
}

Closest closest_pair(const int *coordinates, int count) {
    PointSet set;
    Search search;
    search.found = false;
    search.best.squared = 0;
    search.best.first.x = 0;
    search.best.first.y = 0;
    search.best.second = search.best.first;
    search.best.status = point_set_build(&set, coordinates, count);
    if (search.best.status != OK)
        return search.best;
    int last = set.count - 1;
    copy_points(search.by_x, set.points, 0, last);
    sort(search.by_x, search.spare, 0, last, compare_by_x);
    if (!find_twins(&search, set.count)) {
        copy_points(search.by_y, search.by_x, 0, last);
        closest(&search, 0, last);
    }
    search.best.status = check(&set, &search);
    return search.best;
}
