// Where each short word occurs in the references.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sequence.h"

struct Place {
    int reference;
    int position;
};

constexpr int LONGEST_WORD = 12;

class KmerIndex {
  public:
    // Words of this length, at most LONGEST_WORD.
    KmerIndex(const std::vector<Record> &references, int word_length);

    int word_length() const { return word_length_; }
    // The places of the word of a sequence that begins at `from`.
    const std::vector<Place> &find(const Sequence &sequence, int from) const;
    int distinct_words() const { return (int)places_.size(); }

  private:
    void add(int reference, const Sequence &sequence);
    std::uint32_t code_of(const Sequence &sequence, int from) const;

    int word_length_;
    std::unordered_map<std::uint32_t, std::vector<Place>> places_;
    std::vector<Place> none_;
};
