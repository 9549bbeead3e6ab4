#include "kmer_index.h"

KmerIndex::KmerIndex(const std::vector<Record> &references, int word_length) : word_length_(word_length) {
    for (size_t i = 0; i < references.size(); i++)
        add((int)i, references[i].sequence);
}

// Two bits for each base.
std::uint32_t KmerIndex::code_of(const Sequence &sequence, int from) const {
    std::uint32_t code = 0;
    for (int i = 0; i < word_length_; i++)
        code = code << 2 | sequence[from + i];
    return code;
}

void KmerIndex::add(int reference, const Sequence &sequence) {
    if (sequence.length() < word_length_)
        return;
    std::uint32_t mask = (1u << (2 * word_length_)) - 1;
    std::uint32_t code = code_of(sequence, 0);
    places_[code].push_back(Place{reference, 0});
    for (int position = 1; position + word_length_ <= sequence.length(); position++) {
        // The word one further: without its first base and with a new last one.
        code = (code << 2 | sequence[position + word_length_ - 1]) & mask;
        places_[code].push_back(Place{reference, position});
    }
}

const std::vector<Place> &KmerIndex::find(const Sequence &sequence, int from) const {
    if (from < 0 || from + word_length_ > sequence.length())
        return none_;
    auto found = places_.find(code_of(sequence, from));
    if (found == places_.end())
        return none_;
    return found->second;
}
