// Matches of a probe in a stretch of a reference, with their edits.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "sequence.h"

struct Match {
    int from, to;     // the matched stretch of the reference
    int edits;
    std::string path; // '=' same, 'X' substituted, 'I' inserted in the probe, 'D' missing from it
};

// All ends of matches in reference[from … to) with at most so many edits, each with the match of the fewest edits that ends there;
// among those, the one with the fewest insertions and deletions at its end.
std::vector<Match> align(const Sequence &probe, const Sequence &reference, int from, int to, int most_edits);

// The same with substitutions only.
std::vector<Match> align_substitutions(const Sequence &probe, const Sequence &reference, int from, int to, int most_edits);

// "3=1X2=" for "===X==".
std::string shorten_path(const std::string &path);
