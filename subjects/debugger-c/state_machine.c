#include <stdio.h>
enum state { IDLE, RUNNING, DONE };
enum state next(enum state s, int event) {
    if (s == IDLE && event > 0)
        return RUNNING;
    if (s == RUNNING && event == 0)
        return DONE;
    return s;
}
int main(void) {
    int events[] = {0, 5, 3, 0};
    enum state s = IDLE;
    for (int i = 0; i < 4; i++) {
        s = next(s, events[i]);
        printf("%d ", s);
    }
    printf("\n");
    return 0;
}
