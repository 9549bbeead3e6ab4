#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lines;

int main(int argc, char **argv) {
    char line[64];
    while (fgets(line, sizeof line, stdin))
        lines++;
    if (argc > 1 && strcmp(argv[1], "loop") == 0)
        while (1)
            lines++;
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    FILE *in = fopen("in.txt", "r");
    int c = in ? fgetc(in) : '-';
    FILE *out = fopen("out.txt", "w");
    fprintf(out, "%d", lines);
    fclose(out);
    printf("%d %c %s", lines, c, argc > 1 ? argv[1] : "");
    fprintf(stderr, "done");
    return argc;
}
