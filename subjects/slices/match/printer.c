#include "printer.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Kept lines ---- */

static void forget_kept(Printer *printer) {
    while (printer->kept_count > 0) {
        free(printer->kept[printer->kept_first].text);
        printer->kept_first = (printer->kept_first + 1) % printer->kept_room;
        printer->kept_count--;
    }
}

static void keep(Printer *printer, const Input *input) {
    if (printer->kept_room == 0)
        return;
    if (printer->kept_count == printer->kept_room) {
        free(printer->kept[printer->kept_first].text);
        printer->kept_first = (printer->kept_first + 1) % printer->kept_room;
        printer->kept_count--;
    }
    long place = (printer->kept_first + printer->kept_count) % printer->kept_room;
    KeptLine *line = &printer->kept[place];
    line->text = copy_text(input->line.data, input->line.length);
    line->length = input->line.length;
    line->number = input->line_number;
    line->offset = input->offset;
    printer->kept_count++;
}

void printer_init(Printer *printer, const Options *options) {
    printer->options = options;
    printer->name = "";
    printer->with_name = options->names == NAMES_ALWAYS || (options->names == NAMES_BY_COUNT && options->file_count > 1);
    printer->kept_room = options->context_before;
    printer->kept = allocate((size_t)printer->kept_room * sizeof *printer->kept);
    printer->kept_first = 0;
    printer->kept_count = 0;
    printer->last_printed = 0;
    printer->pending = 0;
    printer->printed_group = false;
}

void printer_free(Printer *printer) {
    forget_kept(printer);
    free(printer->kept);
}

void printer_begin_file(Printer *printer, const char *name) {
    forget_kept(printer);
    printer->name = name;
    printer->last_printed = 0;
    printer->pending = 0;
}

/* ---- Lines ---- */

static void print_name(const Printer *printer, char separator) {
    fputs(printer->name, stdout);
    if (printer->options->null_after_name)
        putchar('\0');
    else
        putchar(separator);
}

/* NAME:NUMBER:OFFSET: of a match, with dashes for other lines. */
static void print_prefix(const Printer *printer, long number, long offset, char separator) {
    if (printer->with_name)
        print_name(printer, separator);
    if (printer->options->line_numbers)
        printf("%ld%c", number, separator);
    if (printer->options->byte_offsets)
        printf("%ld%c", offset, separator);
}

static void print_line(Printer *printer, const char *text, size_t length, long number, long offset, char separator) {
    print_prefix(printer, number, offset, separator);
    fwrite(text, 1, length, stdout);
    putchar('\n');
    printer->last_printed = number;
}

static bool has_context(const Printer *printer) {
    return printer->options->context_before > 0 || printer->options->context_behind > 0;
}

/* Two dashes between groups of lines that do not touch. */
static void begin_group(Printer *printer, long first_number) {
    if (!has_context(printer))
        return;
    if (printer->printed_group && (printer->last_printed == 0 || first_number > printer->last_printed + 1))
        printf("--\n");
    printer->printed_group = true;
}

static void print_kept(Printer *printer) {
    for (long i = 0; i < printer->kept_count; i++) {
        const KeptLine *line = &printer->kept[(printer->kept_first + i) % printer->kept_room];
        print_line(printer, line->text, line->length, line->number, line->offset, '-');
    }
    forget_kept(printer);
}

/* Every match of a line that is not empty, on a line of its own. */
static void print_matches(Printer *printer, const Input *input, Matcher *matcher) {
    const char *text = input->line.data;
    size_t length = input->line.length;
    size_t from = 0, begin, end;
    while (from <= length && matcher_find(matcher, text, length, from, &begin, &end)) {
        if (begin == end) {
            from = begin + 1;
            continue;
        }
        print_line(printer, text + begin, end - begin, input->line_number, input->offset + (long)begin, ':');
        from = end;
    }
}

static bool prints_lines(const Printer *printer) {
    const Options *options = printer->options;
    return !options->count_only && !options->files_with_matches && !options->files_without_match && !options->quiet;
}

void printer_add_match(Printer *printer, const Input *input, Matcher *matcher) {
    const Options *options = printer->options;
    if (!prints_lines(printer))
        return;
    if (options->only_matching) {
        if (!options->inverted)
            print_matches(printer, input, matcher);
        return;
    }
    long first = input->line_number - printer->kept_count;
    begin_group(printer, first);
    print_kept(printer);
    print_line(printer, input->line.data, input->line.length, input->line_number, input->offset, ':');
    printer->pending = options->context_behind;
}

void printer_add_other(Printer *printer, const Input *input) {
    if (!prints_lines(printer) || printer->options->only_matching)
        return;
    if (printer->pending > 0) {
        printer->pending--;
        print_line(printer, input->line.data, input->line.length, input->line_number, input->offset, '-');
        return;
    }
    keep(printer, input);
}

/* ---- Files ---- */

void printer_end_file(Printer *printer, long count) {
    const Options *options = printer->options;
    if (options->quiet)
        return;
    if (options->files_with_matches) {
        if (count > 0)
            print_name(printer, '\n');
        return;
    }
    if (options->files_without_match) {
        if (count == 0)
            print_name(printer, '\n');
        return;
    }
    if (options->count_only) {
        if (printer->with_name)
            print_name(printer, ':');
        printf("%ld\n", count);
    }
}
