// The bookings of a room: half-open intervals of hours, joined where they overlap or touch.
#pragma once

#include <map>
#include <vector>

struct Booking {
    int from, to;
    bool operator==(const Booking &other) const { return from == other.from && to == other.to; }
};

class Bookings {
  public:
    void add(Booking booking);
    std::vector<Booking> joined() const;
    int hours() const;

  private:
    std::map<int, int> intervals; // begin → end, disjoint and not touching
};

std::vector<Booking> join(const std::vector<Booking> &bookings);
