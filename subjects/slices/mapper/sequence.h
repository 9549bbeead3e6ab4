// Sequences of the four bases, and records that name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

// A base as a number: A, C, G, T are 0 to 3.
using Base = unsigned char;

enum : Base { BASE_A = 0, BASE_C = 1, BASE_G = 2, BASE_T = 3, NO_BASE = 255 };

Base base_of(char letter);
char letter_of(Base base);
Base complement_of(Base base);

class Sequence {
  public:
    Sequence() = default;

    // Adds the bases of a text; the position of the first letter that is none, or -1.
    int append(std::string_view letters);

    int length() const { return (int)bases_.size(); }
    bool is_empty() const { return bases_.empty(); }
    Base operator[](int position) const { return bases_[(size_t)position]; }

    Sequence slice(int from, int to) const;
    Sequence reverse_complement() const;
    std::string letters() const;
    std::string letters(int from, int to) const;

    // How many of its bases are G or C, in per cent.
    int gc_content() const;
    // Does it repeat a single base?
    bool is_monotonous() const;

  private:
    std::vector<Base> bases_;
};

struct Record {
    std::string name;
    Sequence sequence;
};
