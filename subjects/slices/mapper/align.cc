#include "align.h"

#include <algorithm>

namespace {

// The table of the alignment: cost(i, j) is the least number of edits between the first i bases of the probe and some stretch of the
// reference that ends before its base j (Sellers, 1980).
class Table {
  public:
    Table(const Sequence &probe, const Sequence &reference, int from, int to)
        : probe_(probe), reference_(reference), from_(from), columns_(to - from + 1),
          costs_((size_t)((probe.length() + 1) * columns_), 0) {
        for (int i = 1; i <= probe_.length(); i++)
            set(i, 0, i);
        for (int j = 1; j < columns_; j++) {
            for (int i = 1; i <= probe_.length(); i++)
                set(i, j, best(i, j));
        }
    }

    int cost(int i, int j) const { return costs_[(size_t)(i * columns_ + j)]; }
    int columns() const { return columns_; }

    // The match that ends before column j, from its end to its beginning.
    Match trace(int j) const {
        Match match;
        match.to = from_ + j;
        match.edits = cost(probe_.length(), j);
        int i = probe_.length();
        while (i > 0) {
            if (j > 0 && cost(i, j) == cost(i - 1, j - 1) + difference(i, j)) {
                match.path += difference(i, j) == 0 ? '=' : 'X';
                i--;
                j--;
            } else if (cost(i, j) == cost(i - 1, j) + 1) {
                match.path += 'I';
                i--;
            } else {
                match.path += 'D';
                j--;
            }
        }
        match.from = from_ + j;
        std::reverse(match.path.begin(), match.path.end());
        return match;
    }

  private:
    void set(int i, int j, int cost) { costs_[(size_t)(i * columns_ + j)] = cost; }

    int difference(int i, int j) const {
        if (probe_[i - 1] == reference_[from_ + j - 1])
            return 0;
        return 1;
    }

    int best(int i, int j) const {
        int least = cost(i - 1, j - 1) + difference(i, j);
        least = std::min(least, cost(i - 1, j) + 1);
        return std::min(least, cost(i, j - 1) + 1);
    }

    const Sequence &probe_;
    const Sequence &reference_;
    int from_;
    int columns_;
    std::vector<int> costs_;
};

} // namespace

std::vector<Match> align(const Sequence &probe, const Sequence &reference, int from, int to, int most_edits) {
    std::vector<Match> matches;
    Table table(probe, reference, from, to);
    for (int j = 0; j < table.columns(); j++) {
        if (table.cost(probe.length(), j) > most_edits)
            continue;
        Match match = table.trace(j);
        if (match.from < match.to)
            matches.push_back(match);
    }
    return matches;
}

std::vector<Match> align_substitutions(const Sequence &probe, const Sequence &reference, int from, int to, int most_edits) {
    std::vector<Match> matches;
    for (int begin = from; begin + probe.length() <= to; begin++) {
        Match match;
        match.from = begin;
        match.to = begin + probe.length();
        match.edits = 0;
        for (int i = 0; i < probe.length() && match.edits <= most_edits; i++) {
            bool same = probe[i] == reference[begin + i];
            match.path += same ? '=' : 'X';
            if (!same)
                match.edits++;
        }
        if (match.edits <= most_edits)
            matches.push_back(match);
    }
    return matches;
}

std::string shorten_path(const std::string &path) {
    std::string text;
    size_t i = 0;
    while (i < path.size()) {
        size_t end = i;
        while (end < path.size() && path[end] == path[i])
            end++;
        text += std::to_string(end - i);
        text += path[i];
        i = end;
    }
    return text;
}
