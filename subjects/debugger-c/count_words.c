#include <ctype.h>
#include <stdio.h>
int count(const char *text) {
    int words = 0;
    int inside = 0;
    for (; *text; text++) {
        if (isspace((unsigned char)*text)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    return words;
}
int main(void) {
    int n = count("the quick  brown fox");
    printf("%d words\n", n);
    return 0;
}
