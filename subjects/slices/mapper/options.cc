#include "options.h"

#include <cstdio>
#include <cstring>

namespace {

bool is_number(const char *text) {
    if (*text == 0)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
    }
    return true;
}

int number_of(const char *text) {
    int number = 0;
    for (; *text; text++) {
        number = 10 * number + (*text - '0');
        if (number > 1000)
            return 1000;
    }
    return number;
}

// Sets what one argument says; false if it is unknown.
bool set_flag(Options &options, const char *argument) {
    if (std::strcmp(argument, "--substitutions") == 0)
        options.edits = Edits::SubstitutionsOnly;
    else if (std::strcmp(argument, "--best") == 0)
        options.hits = Hits::BestOnly;
    else if (std::strcmp(argument, "--both-strands") == 0)
        options.both_strands = true;
    else if (std::strcmp(argument, "--skip-monotonous") == 0)
        options.skip_monotonous = true;
    else if (std::strcmp(argument, "--summary") == 0)
        options.summary = true;
    else
        return false;
    return true;
}

} // namespace

Options read_options(int argc, char **argv) {
    Options options;
    bool has_edits = false;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (argument[0] == '-') {
            if (!set_flag(options, argument)) {
                options.error = std::string("unknown option ") + argument;
                return options;
            }
        } else if (!has_edits && is_number(argument)) {
            options.most_edits = number_of(argument);
            has_edits = true;
        } else {
            options.error = std::string("unexpected argument ") + argument;
            return options;
        }
    }
    if (!has_edits)
        options.error = "how many edits?";
    else if (options.most_edits > MOST_EDITS)
        options.error = "too many edits";
    return options;
}

void print_usage() {
    std::fprintf(stderr, "usage: mapper EDITS [--substitutions] [--best] [--both-strands] [--skip-monotonous] [--summary]\n"
                         "Maps the probes on standard input to the references there, with at most so many edits.\n");
}
