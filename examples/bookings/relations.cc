#include <twinrun.h>

#include <algorithm>

#include "bookings.h"

enum { MOST = 6, LAST = 24 };

static std::vector<Booking> draw() {
    int n = tw_len("n", 1, MOST), from[MOST], hours[MOST];
    tw_i32s("from", from, n, 0, LAST);
    tw_i32s("hours", hours, n, 0, 8);
    std::vector<Booking> bookings;
    for (int i = 0; i < n; i++)
        bookings.push_back({from[i], from[i] + hours[i]});
    return bookings;
}

static std::vector<Booking> run(const std::vector<Booking> &bookings) {
    GIVEN_I32S("bookings", &bookings[0].from, 2 * (int)bookings.size());
    std::vector<Booking> joined = RUN(join(bookings));
    OUTPUT_I32S("joined", joined.empty() ? nullptr : &joined[0].from, 2 * (int)joined.size());
    return joined;
}

// In whichever order the bookings came in.
RELATION(permute) {
    std::vector<Booking> bookings = draw(), shuffled;
    int permutation[MOST];
    tw_permutation("permutation", permutation, (int)bookings.size());
    for (size_t i = 0; i < bookings.size(); i++)
        shuffled.push_back(bookings[permutation[i]]);
    std::vector<Booking> source = run(bookings), follow_up = run(shuffled);
    CHECK(source == follow_up);
}

// A day later, everything is a day later.
RELATION(shift) {
    std::vector<Booking> bookings = draw(), later = bookings;
    int by = tw_i32("by", 1, 100);
    for (Booking &booking : later)
        booking.from += by, booking.to += by;
    std::vector<Booking> source = run(bookings), follow_up = run(later);
    for (Booking &booking : source)
        booking.from += by, booking.to += by;
    CHECK(source == follow_up);
}

// With time turned round, the joined bookings come in reverse.
RELATION(reflect) {
    std::vector<Booking> bookings = draw(), turned;
    for (const Booking &booking : bookings)
        turned.push_back({-booking.to, -booking.from});
    std::vector<Booking> source = run(bookings), follow_up = run(turned);
    std::reverse(follow_up.begin(), follow_up.end());
    for (Booking &booking : follow_up)
        booking = {-booking.to, -booking.from};
    CHECK(source == follow_up);
}

// A booking made in two parts is the same booking.
RELATION(split) {
    std::vector<Booking> bookings = draw(), parts = bookings;
    int which = tw_i32("which", 0, (int)bookings.size() - 1);
    int at = tw_i32("at", bookings[which].from, bookings[which].to);
    parts.push_back({at, parts[which].to});
    parts[which].to = at;
    std::vector<Booking> source = run(bookings), follow_up = run(parts);
    CHECK(source == follow_up);
}
