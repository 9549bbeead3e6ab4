// Where a probe may match: with at most e edits, one of e + 1 parts of it occurs unchanged (the pigeonhole principle).
#pragma once

#include <vector>

#include "kmer_index.h"
#include "sequence.h"

// A stretch of a reference that holds every match of which a part was found.
struct Window {
    int reference;
    int from, to;
};

struct Part {
    int from, to;
};

// The parts of a probe of this length, as equal as possible.
std::vector<Part> split(int length, int parts);

// The length of the words that the index needs for these probes: no longer than any part. 0 if a probe is too short to split.
int seed_length(const std::vector<Record> &probes, int most_edits);

// The windows for a probe, joined where they overlap.
std::vector<Window> find_windows(const Sequence &probe, int most_edits, const KmerIndex &index, const std::vector<Record> &references);

// All of every reference: for probes that cannot be split.
std::vector<Window> whole_windows(const std::vector<Record> &references);
