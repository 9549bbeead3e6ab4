#include <stdio.h>
struct point {
    int x;
    int y;
};
struct point add(struct point a, struct point b) {
    struct point sum = {a.x + b.x, a.y + b.y};
    return sum;
}
int main(void) {
    struct point p = {1, 2};
    struct point q = {3, 4};
    struct point r = add(p, q);
    printf("%d %d\n", r.x, r.y);
    return 0;
}
