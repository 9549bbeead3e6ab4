#include <stdio.h>
int find(const int *a, int n, int wanted) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == wanted)
            return middle;
        if (a[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}
int main(void) {
    int a[] = {1, 4, 6, 9, 12};
    printf("%d %d\n", find(a, 5, 9), find(a, 5, 7));
    return 0;
}
