#include <stdio.h>
int main(void) {
    int weight[] = {2, 3, 4};
    int value[] = {3, 4, 6};
    int best[7] = {0};
    for (int i = 0; i < 3; i++) {
        for (int c = 6; c >= weight[i]; c--) {
            int with = best[c - weight[i]] + value[i];
            if (with > best[c])
                best[c] = with;
        }
    }
    printf("%d\n", best[6]);
    return 0;
}
