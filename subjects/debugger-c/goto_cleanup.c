#include <stdio.h>
int work(int fail_at) {
    int opened = 0;
    int result = -1;
    for (int step = 0; step < 3; step++) {
        opened++;
        if (step == fail_at)
            goto cleanup;
    }
    result = 0;
cleanup:
    while (opened > 0)
        opened--;
    return result;
}
int main(void) {
    int a = work(1);
    int b = work(9);
    printf("%d %d\n", a, b);
    return 0;
}
