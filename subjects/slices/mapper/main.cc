// mapper: finds where short sequences occur in long ones with a few edits.
//
// Written after the public description of SeqMap (Jiang and Wong, 2008).
#include <cstdio>

#include "input.h"
#include "mapper.h"
#include "options.h"
#include "report.h"

int main(int argc, char **argv) {
    Options options = read_options(argc, argv);
    if (!options.error.empty()) {
        std::fprintf(stderr, "mapper: %s\n", options.error.c_str());
        print_usage();
        return 2;
    }
    Input input = read_input(stdin);
    if (!input.error.empty()) {
        std::fprintf(stderr, "mapper: line %d: %s\n", input.error_line, input.error.c_str());
        return 2;
    }
    print_report(input, map_probes(input, options), options);
    return 0;
}
