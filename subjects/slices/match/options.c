#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "util.h"

static void set_defaults(Options *options) {
    memset(options, 0, sizeof *options);
    options->most_lines = WITHOUT_END;
    options->names = NAMES_BY_COUNT;
}

/* ---- Patterns: each line is one ---- */

static void add_pattern(Options *options, const char *text, size_t length) {
    options->patterns = reallocate(options->patterns, (size_t)(options->pattern_count + 1) * sizeof *options->patterns);
    Pattern *pattern = &options->patterns[options->pattern_count];
    pattern->text = copy_text(text, length);
    pattern->length = length;
    options->pattern_count++;
}

static void add_patterns(Options *options, const char *text) {
    const char *line = text;
    while (true) {
        const char *end = strchr(line, '\n');
        if (end == NULL) {
            add_pattern(options, line, strlen(line));
            return;
        }
        add_pattern(options, line, (size_t)(end - line));
        line = end + 1;
    }
}

static void add_patterns_of_file(Options *options, const char *name) {
    Input input;
    if (!input_open(&input, name))
        fail("%s: cannot be read", name);
    while (input_next(&input))
        add_pattern(options, input.line.data, input.line.length);
    input_close(&input);
}

static void add_file(Options *options, char *name) {
    options->files = reallocate(options->files, (size_t)(options->file_count + 1) * sizeof *options->files);
    options->files[options->file_count] = name;
    options->file_count++;
}

/* ---- Numbers ---- */

static long read_number(const char *text, const char *what) {
    long number = 0;
    if (*text == '\0')
        fail("%s: a number is missing", what);
    for (const char *p = text; *p != '\0'; p++) {
        if (*p < '0' || *p > '9')
            fail("%s: %s is no number", what, text);
        if (number < 1000000)
            number = 10 * number + (*p - '0');
    }
    return number;
}

/* ---- Options ---- */

/* The arguments, with the place where we are. */
typedef struct {
    int argc;
    char **argv;
    int next;
    bool has_pattern; /* from -e or -f */
} Arguments;

/* Does this option have an argument? */
static bool has_argument(char option) {
    return strchr("efmABC", option) != NULL && option != '\0';
}

static void set_flag(Options *options, char option) {
    switch (option) {
    case 'E':
        options->fixed = false;
        break;
    case 'F':
        options->fixed = true;
        break;
    case 'i':
    case 'y':
        options->ignore_case = true;
        break;
    case 'v':
        options->inverted = true;
        break;
    case 'w':
        options->whole_words = true;
        break;
    case 'x':
        options->whole_lines = true;
        break;
    case 'c':
        options->count_only = true;
        break;
    case 'l':
        options->files_with_matches = true;
        break;
    case 'L':
        options->files_without_match = true;
        break;
    case 'q':
        options->quiet = true;
        break;
    case 'o':
        options->only_matching = true;
        break;
    case 'n':
        options->line_numbers = true;
        break;
    case 'b':
        options->byte_offsets = true;
        break;
    case 's':
        options->no_messages = true;
        break;
    case 'Z':
        options->null_after_name = true;
        break;
    case 'H':
        options->names = NAMES_ALWAYS;
        break;
    case 'h':
        options->names = NAMES_NEVER;
        break;
    default:
        fail("-%c: there is no such option", option);
    }
}

static void set_value(Options *options, Arguments *arguments, char option, const char *value) {
    switch (option) {
    case 'e':
        add_patterns(options, value);
        arguments->has_pattern = true;
        break;
    case 'f':
        add_patterns_of_file(options, value);
        arguments->has_pattern = true;
        break;
    case 'm':
        options->most_lines = read_number(value, "-m");
        break;
    case 'A':
        options->context_behind = read_number(value, "-A");
        break;
    case 'B':
        options->context_before = read_number(value, "-B");
        break;
    case 'C':
        options->context_before = read_number(value, "-C");
        options->context_behind = options->context_before;
        break;
    default:
        fail("-%c: there is no such option", option);
    }
}

static const struct {
    const char *name;
    char option;
} long_options[] = {
    {"extended-regexp", 'E'}, {"fixed-strings", 'F'}, {"ignore-case", 'i'},   {"invert-match", 'v'},
    {"word-regexp", 'w'},     {"line-regexp", 'x'},   {"count", 'c'},         {"files-with-matches", 'l'},
    {"files-without-match", 'L'}, {"quiet", 'q'},     {"silent", 'q'},        {"only-matching", 'o'},
    {"line-number", 'n'},     {"byte-offset", 'b'},   {"no-messages", 's'},   {"null", 'Z'},
    {"with-filename", 'H'},   {"no-filename", 'h'},   {"regexp", 'e'},        {"file", 'f'},
    {"max-count", 'm'},       {"after-context", 'A'}, {"before-context", 'B'}, {"context", 'C'},
};

/* The next argument, which an option needs. */
static const char *take_value(Arguments *arguments, const char *option) {
    if (arguments->next == arguments->argc)
        fail("%s: its argument is missing", option);
    return arguments->argv[arguments->next++];
}

/* --name or --name=value. */
static void read_long(Options *options, Arguments *arguments, const char *argument) {
    const char *name = argument + 2;
    const char *equal = strchr(name, '=');
    size_t length = equal != NULL ? (size_t)(equal - name) : strlen(name);
    if (strcmp(name, "help") == 0) {
        options->help = true;
        return;
    }
    for (size_t i = 0; i < sizeof long_options / sizeof long_options[0]; i++) {
        if (strlen(long_options[i].name) != length || strncmp(long_options[i].name, name, length) != 0)
            continue;
        char option = long_options[i].option;
        if (!has_argument(option)) {
            if (equal != NULL)
                fail("%s: it has no argument", argument);
            set_flag(options, option);
            return;
        }
        set_value(options, arguments, option, equal != NULL ? equal + 1 : take_value(arguments, argument));
        return;
    }
    fail("%s: there is no such option", argument);
}

/* -abc, -mNUMBER or -m NUMBER. */
static void read_short(Options *options, Arguments *arguments, const char *argument) {
    for (const char *p = argument + 1; *p != '\0'; p++) {
        if (has_argument(*p)) {
            const char *value = p[1] != '\0' ? p + 1 : take_value(arguments, argument);
            set_value(options, arguments, *p, value);
            return;
        }
        set_flag(options, *p);
    }
}

static bool is_option(const char *argument) {
    return argument[0] == '-' && argument[1] != '\0';
}

void options_read(Options *options, int argc, char **argv) {
    Arguments arguments;
    char **operands = allocate((size_t)argc * sizeof *operands);
    int operand_count = 0;
    bool only_operands = false;
    arguments.argc = argc;
    arguments.argv = argv;
    arguments.next = 1;
    arguments.has_pattern = false;
    set_defaults(options);

    while (arguments.next < argc) {
        char *argument = argv[arguments.next];
        arguments.next++;
        if (only_operands || !is_option(argument)) {
            operands[operand_count] = argument;
            operand_count++;
        } else if (strcmp(argument, "--") == 0) {
            only_operands = true;
        } else if (argument[1] == '-') {
            read_long(options, &arguments, argument);
        } else {
            read_short(options, &arguments, argument);
        }
    }

    int first_file = 0;
    if (!arguments.has_pattern && !options->help) {
        if (operand_count == 0)
            fail("which pattern?");
        add_patterns(options, operands[0]);
        first_file = 1;
    }
    for (int i = first_file; i < operand_count; i++)
        add_file(options, operands[i]);
    free(operands);
}

void options_free(Options *options) {
    for (int i = 0; i < options->pattern_count; i++)
        free(options->patterns[i].text);
    free(options->patterns);
    free(options->files);
}

void print_help(void) {
    printf("usage: match [OPTION]… PATTERN [FILE]…\n"
           "Prints the lines that match an extended regular expression.\n"
           "\n"
           "  -E, -F         the pattern is an expression, or fixed text\n"
           "  -e PATTERN     one more pattern\n"
           "  -f FILE        the patterns are in a file, one on a line\n"
           "  -i -v -w -x    ignore case; other lines; whole words; whole lines\n"
           "  -c -l -L -q    only counts; only names of files with or without matches; nothing\n"
           "  -o -n -b       only the matches; with line numbers; with byte offsets\n"
           "  -H -h -Z -s    always or never names; a zero byte behind names; no messages\n"
           "  -m NUMBER      at most so many lines of each file\n"
           "  -A -B -C NUM   so many lines behind, before, around\n");
}
