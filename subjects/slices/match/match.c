/* match: prints the lines of files that match an extended regular expression.
 *
 * Written by hand after the POSIX description of `grep -E` and the classical literature on automata; it has the parts that the
 * published study used GNU grep for: an analyser of expressions, a simplifier, a lazily built deterministic automaton, a search for
 * texts that must occur, and the usual options. */
#include <stdio.h>

#include "input.h"
#include "matcher.h"
#include "options.h"
#include "printer.h"

enum { SOME_MATCH = 0, NO_MATCH = 1, TROUBLE = 2 };

/* Can the rest of the file change nothing any more? */
static bool is_decided(const Options *options, long count) {
    if (options->most_lines != WITHOUT_END && count >= options->most_lines)
        return true;
    if (count == 0)
        return false;
    return options->quiet || options->files_with_matches || options->files_without_match;
}

/* The lines still to be shown behind the last match that counts. */
static void finish_context(Input *input, Printer *printer) {
    while (printer->pending > 0 && input_next(input))
        printer_add_other(printer, input);
}

/* How many lines of the file were chosen. */
static long search_file(Input *input, const Options *options, Matcher *matcher, Printer *printer) {
    long count = 0;
    while (!is_decided(options, count) && input_next(input)) {
        bool matches = matcher_matches(matcher, input->line.data, input->line.length);
        if (matches != options->inverted) {
            count++;
            printer_add_match(printer, input, matcher);
        } else {
            printer_add_other(printer, input);
        }
    }
    if (options->most_lines != WITHOUT_END)
        finish_context(input, printer);
    return count;
}

static const char *shown_name(const char *name) {
    if (name[0] == '-' && name[1] == '\0')
        return "(standard input)";
    return name;
}

static int search_all(const Options *options, Matcher *matcher) {
    static char standard_input[] = "-";
    char *only_input[] = {standard_input};
    char **files = options->file_count > 0 ? options->files : only_input;
    int file_count = options->file_count > 0 ? options->file_count : 1;
    Printer printer;
    bool some_match = false;
    bool trouble = false;

    printer_init(&printer, options);
    for (int i = 0; i < file_count; i++) {
        Input input;
        if (!input_open(&input, files[i])) {
            trouble = true;
            if (!options->no_messages)
                fprintf(stderr, "match: %s: cannot be read\n", files[i]);
            continue;
        }
        printer_begin_file(&printer, shown_name(files[i]));
        long count = search_file(&input, options, matcher, &printer);
        printer_end_file(&printer, count);
        if (options->files_without_match ? count == 0 : count > 0)
            some_match = true;
        input_close(&input);
        if (options->quiet && some_match)
            break;
    }
    printer_free(&printer);
    if (options->quiet && some_match)
        return SOME_MATCH;
    if (trouble)
        return TROUBLE;
    return some_match ? SOME_MATCH : NO_MATCH;
}

int main(int argc, char **argv) {
    Options options;
    Matcher matcher;
    options_read(&options, argc, argv);
    if (options.help) {
        print_help();
        options_free(&options);
        return SOME_MATCH;
    }
    matcher_init(&matcher, &options);
    int status = search_all(&options, &matcher);
    matcher_free(&matcher);
    options_free(&options);
    return status;
}
