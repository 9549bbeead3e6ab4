#include "mapper.h"

#include <algorithm>

#include "kmer_index.h"
#include "seeds.h"

namespace {

bool comes_before(const Hit &a, const Hit &b) {
    if (a.reference != b.reference)
        return a.reference < b.reference;
    if (a.is_reverse != b.is_reverse)
        return b.is_reverse;
    if (a.match.to != b.match.to)
        return a.match.to < b.match.to;
    return a.match.from < b.match.from;
}

class Mapper {
  public:
    Mapper(const Input &input, const Options &options)
        : input_(input), options_(options),
          index_(input.references, std::max(1, seed_length(input.probes, options.most_edits))) {}

    MappedProbe map(const Sequence &probe) const {
        MappedProbe mapped;
        if (options_.skip_monotonous && probe.is_monotonous()) {
            mapped.status = ProbeStatus::Skipped;
            return mapped;
        }
        add_hits(mapped.hits, probe, false);
        if (options_.both_strands)
            add_hits(mapped.hits, probe.reverse_complement(), true);
        if (mapped.hits.empty())
            return mapped;
        mapped.status = ProbeStatus::Mapped;
        mapped.fewest_edits = fewest_edits(mapped.hits);
        if (options_.hits == Hits::BestOnly)
            keep_best(mapped);
        std::sort(mapped.hits.begin(), mapped.hits.end(), comes_before);
        return mapped;
    }

  private:
    // Can every part of the probe be looked up?
    bool can_seed(const Sequence &probe) const {
        return probe.length() / (options_.most_edits + 1) >= index_.word_length();
    }

    void add_hits(std::vector<Hit> &hits, const Sequence &probe, bool is_reverse) const {
        std::vector<Window> windows = can_seed(probe) ? find_windows(probe, options_.most_edits, index_, input_.references)
                                                      : whole_windows(input_.references);
        for (const Window &window : windows) {
            const Sequence &reference = input_.references[(size_t)window.reference].sequence;
            std::vector<Match> matches =
                options_.edits == Edits::SubstitutionsOnly
                    ? align_substitutions(probe, reference, window.from, window.to, options_.most_edits)
                    : align(probe, reference, window.from, window.to, options_.most_edits);
            for (const Match &match : matches)
                hits.push_back(Hit{window.reference, is_reverse, match});
        }
    }

    static int fewest_edits(const std::vector<Hit> &hits) {
        int fewest = hits.front().match.edits;
        for (const Hit &hit : hits)
            fewest = std::min(fewest, hit.match.edits);
        return fewest;
    }

    static void keep_best(MappedProbe &mapped) {
        std::vector<Hit> best;
        for (const Hit &hit : mapped.hits) {
            if (hit.match.edits == mapped.fewest_edits)
                best.push_back(hit);
        }
        mapped.hits.swap(best);
    }

    const Input &input_;
    const Options &options_;
    KmerIndex index_;
};

} // namespace

std::vector<MappedProbe> map_probes(const Input &input, const Options &options) {
    Mapper mapper(input, options);
    std::vector<MappedProbe> mapped;
    for (const Record &probe : input.probes)
        mapped.push_back(mapper.map(probe.sequence));
    return mapped;
}
