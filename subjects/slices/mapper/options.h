// The command line.
#pragma once

#include <string>

enum class Edits { All, SubstitutionsOnly };
enum class Hits { All, BestOnly };

struct Options {
    int most_edits = 0;
    Edits edits = Edits::All;
    Hits hits = Hits::All;
    bool both_strands = false;
    bool skip_monotonous = false;
    bool summary = false;
    std::string error; // what is wrong, if anything
};

constexpr int MOST_EDITS = 5;

Options read_options(int argc, char **argv);
void print_usage();
