#include <stdio.h>
int main(void) {
    const char *text = "hello world";
    int counts[26] = {0};
    for (const char *p = text; *p; p++) {
        if (*p >= 'a' && *p <= 'z')
            counts[*p - 'a']++;
    }
    int best = 0;
    for (int i = 1; i < 26; i++) {
        if (counts[i] > counts[best])
            best = i;
    }
    printf("%c %d\n", 'a' + best, counts[best]);
    return 0;
}
