#include "sequence.h"

Base base_of(char letter) {
    switch (letter) {
    case 'A':
    case 'a':
        return BASE_A;
    case 'C':
    case 'c':
        return BASE_C;
    case 'G':
    case 'g':
        return BASE_G;
    case 'T':
    case 't':
        return BASE_T;
    default:
        return NO_BASE;
    }
}

char letter_of(Base base) {
    switch (base) {
    case BASE_A:
        return 'A';
    case BASE_C:
        return 'C';
    case BASE_G:
        return 'G';
    case BASE_T:
        return 'T';
    default:
        return 'N';
    }
}

Base complement_of(Base base) {
    return (Base)(BASE_T - base);
}

int Sequence::append(std::string_view letters) {
    for (size_t i = 0; i < letters.size(); i++) {
        Base base = base_of(letters[i]);
        if (base == NO_BASE)
            return (int)i;
        bases_.push_back(base);
    }
    return -1;
}

Sequence Sequence::slice(int from, int to) const {
    Sequence part;
    if (from < 0)
        from = 0;
    if (to > length())
        to = length();
    for (int i = from; i < to; i++)
        part.bases_.push_back(bases_[(size_t)i]);
    return part;
}

Sequence Sequence::reverse_complement() const {
    Sequence other;
    for (int i = length() - 1; i >= 0; i--)
        other.bases_.push_back(complement_of(bases_[(size_t)i]));
    return other;
}

std::string Sequence::letters() const {
    return letters(0, length());
}

std::string Sequence::letters(int from, int to) const {
    std::string text;
    for (int i = from; i < to; i++)
        text += letter_of(bases_[(size_t)i]);
    return text;
}

int Sequence::gc_content() const {
    if (is_empty())
        return 0;
    int count = 0;
    for (Base base : bases_) {
        if (base == BASE_G || base == BASE_C)
            count++;
    }
    return count * 100 / length();
}

bool Sequence::is_monotonous() const {
    for (int i = 1; i < length(); i++) {
        if (bases_[(size_t)i] != bases_[0])
            return false;
    }
    return true;
}
