// Maps probes to references.
#pragma once

#include <vector>

#include "align.h"
#include "input.h"
#include "options.h"

struct Hit {
    int reference;
    bool is_reverse; // on the other strand
    Match match;
};

enum class ProbeStatus { Mapped, Unmapped, Skipped };

struct MappedProbe {
    ProbeStatus status = ProbeStatus::Unmapped;
    std::vector<Hit> hits; // by reference, strand, end
    int fewest_edits = 0;  // of the hits
};

std::vector<MappedProbe> map_probes(const Input &input, const Options &options);
