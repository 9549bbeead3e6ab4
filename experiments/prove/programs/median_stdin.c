/* The median of three numbers on standard input. */
#include <stdio.h>

int main(void) {
    int u, v, w;
    if (scanf("%d %d %d", &u, &v, &w) != 3) return 1;
    int med = w;
    if (v < w) {
        if (u < v) med = v;
        else if (u < w) med = u;
    } else if (u > v) med = v;
    else if (u > w) med = u;
    printf("%d\n", med);
    return 0;
}
