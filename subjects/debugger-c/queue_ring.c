#include <stdio.h>
#define SIZE 4
static int ring[SIZE];
static int first = 0, length = 0;
int add(int value) {
    if (length == SIZE)
        return 0;
    ring[(first + length) % SIZE] = value;
    length++;
    return 1;
}
int take(void) {
    int value = ring[first];
    first = (first + 1) % SIZE;
    length--;
    return value;
}
int main(void) {
    for (int i = 0; i < 6; i++) {
        int ok = add(i);
        if (!ok)
            printf("full at %d\n", i);
    }
    int a = take();
    int b = take();
    printf("%d %d left %d\n", a, b, length);
    return 0;
}
