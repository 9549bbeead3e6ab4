#include "seeds.h"

#include <algorithm>

std::vector<Part> split(int length, int parts) {
    std::vector<Part> result;
    int from = 0;
    for (int i = 0; i < parts; i++) {
        int to = (int)((long long)length * (i + 1) / parts);
        result.push_back(Part{from, to});
        from = to;
    }
    return result;
}

int seed_length(const std::vector<Record> &probes, int most_edits) {
    int shortest = LONGEST_WORD;
    for (const Record &probe : probes) {
        int part = probe.sequence.length() / (most_edits + 1);
        if (part > 0)
            shortest = std::min(shortest, part);
    }
    return shortest;
}

namespace {

bool occurs(const Sequence &probe, const Part &part, const Sequence &reference, int position) {
    if (position + part.to - part.from > reference.length())
        return false;
    for (int i = part.from; i < part.to; i++) {
        if (probe[i] != reference[position + i - part.from])
            return false;
    }
    return true;
}

bool comes_before(const Window &a, const Window &b) {
    if (a.reference != b.reference)
        return a.reference < b.reference;
    if (a.from != b.from)
        return a.from < b.from;
    return a.to < b.to;
}

std::vector<Window> join(std::vector<Window> windows) {
    std::sort(windows.begin(), windows.end(), comes_before);
    std::vector<Window> joined;
    for (const Window &window : windows) {
        if (!joined.empty() && joined.back().reference == window.reference && window.from <= joined.back().to)
            joined.back().to = std::max(joined.back().to, window.to);
        else
            joined.push_back(window);
    }
    return joined;
}

} // namespace

std::vector<Window> find_windows(const Sequence &probe, int most_edits, const KmerIndex &index, const std::vector<Record> &references) {
    std::vector<Window> windows;
    for (const Part &part : split(probe.length(), most_edits + 1)) {
        for (const Place &place : index.find(probe, part.from)) {
            const Sequence &reference = references[(size_t)place.reference].sequence;
            if (!occurs(probe, part, reference, place.position))
                continue;
            int begin = place.position - part.from;
            Window window;
            window.reference = place.reference;
            window.from = std::max(0, begin - most_edits);
            window.to = std::min(reference.length(), begin + probe.length() + most_edits);
            windows.push_back(window);
        }
    }
    return join(windows);
}

std::vector<Window> whole_windows(const std::vector<Record> &references) {
    std::vector<Window> windows;
    for (size_t i = 0; i < references.size(); i++) {
        if (!references[i].sequence.is_empty())
            windows.push_back(Window{(int)i, 0, references[i].sequence.length()});
    }
    return windows;
}
