#include <stdio.h>
void sort(int *a, int n) {
    for (int end = n - 1; end > 0; end--) {
        for (int i = 0; i < end; i++) {
            if (a[i] > a[i + 1]) {
                int held = a[i];
                a[i] = a[i + 1];
                a[i + 1] = held;
            }
        }
    }
}
int main(void) {
    int data[] = {5, 1, 4, 2};
    sort(data, 4);
    for (int i = 0; i < 4; i++)
        printf("%d ", data[i]);
    printf("\n");
    return 0;
}
