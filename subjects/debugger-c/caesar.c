#include <stdio.h>
void shift(char *text, int by) {
    for (int i = 0; text[i]; i++) {
        if (text[i] >= 'a' && text[i] <= 'z') {
            int letter = text[i] - 'a' + by + 26;
            text[i] = (char)(letter % 26 + 'a');
        }
    }
}
int main(void) {
    char text[] = "dawn";
    shift(text, 3);
    puts(text);
    shift(text, -3);
    puts(text);
    return 0;
}
