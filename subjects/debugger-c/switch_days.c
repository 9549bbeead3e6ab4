#include <stdio.h>
int days(int month) {
    int result = 0;
    switch (month) {
    case 2:
        result = 28;
        break;
    case 4:
    case 6:
    case 9:
    case 11:
        result = 30;
        break;
    default:
        result = 31;
    }
    return result;
}
int main(void) {
    int year = 0;
    for (int m = 1; m <= 12; m++)
        year += days(m);
    printf("%d\n", year);
    return 0;
}
