#include "bookings.h"

#include <algorithm>
#include <iterator>

// -DFAULTY takes the end of the last interval that was swallowed, even if the new one reaches further.
void Bookings::add(Booking booking) {
    if (booking.from >= booking.to)
        return;
    auto next = intervals.upper_bound(booking.from);
    if (next != intervals.begin()) {
        auto previous = std::prev(next);
        if (previous->second >= booking.from) {
            booking.from = previous->first;
            next = previous;
        }
    }
    while (next != intervals.end() && next->first <= booking.to) {
#ifdef FAULTY
        booking.to = next->second;
#else
        booking.to = std::max(booking.to, next->second);
#endif
        next = intervals.erase(next);
    }
    intervals.emplace(booking.from, booking.to);
}

std::vector<Booking> Bookings::joined() const {
    std::vector<Booking> result;
    std::transform(intervals.begin(), intervals.end(), std::back_inserter(result),
                   [](const auto &interval) { return Booking{interval.first, interval.second}; });
    return result;
}

int Bookings::hours() const {
    int sum = 0;
    for (auto [from, to] : intervals)
        sum += to - from;
    return sum;
}

std::vector<Booking> join(const std::vector<Booking> &bookings) {
    Bookings all;
    for (const Booking &booking : bookings)
        all.add(booking);
    return all.joined();
}
