#include "report.h"

#include <cstdio>

namespace {

// PROBE mapped REFERENCE STRAND FROM TO EDITS PATH LETTERS, positions from 1.
void print_hit(const Input &input, const Record &probe, const Hit &hit) {
    const Record &reference = input.references[(size_t)hit.reference];
    std::string letters = reference.sequence.letters(hit.match.from, hit.match.to);
    std::string path = shorten_path(hit.match.path);
    std::printf("%s\tmapped\t%s\t%c\t%d\t%d\t%d\t%s\t%s\n", probe.name.c_str(), reference.name.c_str(), hit.is_reverse ? '-' : '+',
                hit.match.from + 1, hit.match.to, hit.match.edits, path.c_str(), letters.c_str());
}

void print_probe(const Input &input, const Record &probe, const MappedProbe &mapped) {
    switch (mapped.status) {
    case ProbeStatus::Mapped:
        for (const Hit &hit : mapped.hits)
            print_hit(input, probe, hit);
        break;
    case ProbeStatus::Unmapped:
        std::printf("%s\tunmapped\n", probe.name.c_str());
        break;
    case ProbeStatus::Skipped:
        std::printf("%s\tskipped\n", probe.name.c_str());
        break;
    }
}

struct Summary {
    int mapped = 0;
    int unmapped = 0;
    int skipped = 0;
    int hits = 0;
    int unique = 0; // probes with a single hit
    int perfect = 0; // probes with a hit without edits
};

Summary summarise(const std::vector<MappedProbe> &mapped) {
    Summary summary;
    for (const MappedProbe &probe : mapped) {
        switch (probe.status) {
        case ProbeStatus::Mapped:
            summary.mapped++;
            summary.hits += (int)probe.hits.size();
            if (probe.hits.size() == 1)
                summary.unique++;
            if (probe.fewest_edits == 0)
                summary.perfect++;
            break;
        case ProbeStatus::Unmapped:
            summary.unmapped++;
            break;
        case ProbeStatus::Skipped:
            summary.skipped++;
            break;
        }
    }
    return summary;
}

void print_summary(const Input &input, const std::vector<MappedProbe> &mapped) {
    Summary summary = summarise(mapped);
    std::printf("# probes %d mapped %d unmapped %d skipped %d\n", (int)input.probes.size(), summary.mapped, summary.unmapped,
                summary.skipped);
    std::printf("# hits %d unique %d perfect %d\n", summary.hits, summary.unique, summary.perfect);
    for (const Record &reference : input.references)
        std::printf("# reference %s length %d gc %d\n", reference.name.c_str(), reference.sequence.length(),
                    reference.sequence.gc_content());
}

} // namespace

void print_report(const Input &input, const std::vector<MappedProbe> &mapped, const Options &options) {
    for (size_t i = 0; i < input.probes.size(); i++)
        print_probe(input, input.probes[i], mapped[i]);
    if (options.summary)
        print_summary(input, mapped);
}
