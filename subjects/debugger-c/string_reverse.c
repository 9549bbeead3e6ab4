#include <stdio.h>
#include <string.h>
void reverse(char *text) {
    int i = 0;
    int j = (int)strlen(text) - 1;
    while (i < j) {
        char held = text[i];
        text[i] = text[j];
        text[j] = held;
        i++;
        j--;
    }
}
int main(void) {
    char word[] = "stressed";
    reverse(word);
    puts(word);
    return 0;
}
