#include <stdio.h>
int leap(int y) {
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}
int main(void) {
    int years[] = {1900, 2000, 2023, 2024};
    int count = 0;
    for (int i = 0; i < 4; i++) {
        int yes = leap(years[i]);
        if (yes) {
            count++;
            printf("%d\n", years[i]);
        }
    }
    return count == 2 ? 0 : 1;
}
