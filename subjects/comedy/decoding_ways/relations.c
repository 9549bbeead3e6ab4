#include <twinrun.h>

#include "decoding_ways.h"

enum { MOST = 7 };

static int run(const char *digits) {
    GIVEN_TEXT("digits", digits);
    int ways = RUN(decoding_ways(digits));
    OUTPUT("ways", ways);
    return ways;
}

/* May this digit be one greater without any letter coming or going? The pairs 10 to 26 decide. */
static bool can_grow(char before, char digit, char after) {
    switch (digit) {
    case '1': return after < '7';                     /* 17, 18, 19 are letters, 27, 28, 29 are not */
    case '3': case '4': case '5': case '7': case '8': return true;
    case '6': return before != '2';                   /* 26 is a letter, 27 is not */
    default: return false;
    }
}

/* Incrementing a digit changes nothing as long as the same digits stand alone and the same pairs are letters. */
RELATION(increment) {
    char digits[MOST + 1];
    int n = tw_text_between("digits", digits, 1, MOST, "0123456789");
    int at = tw_i32("at", 0, n - 1);
    ASSUME(can_grow(at > 0 ? digits[at - 1] : '0', digits[at], digits[at + 1]));
    int source = run(digits);
    TW_INCREMENT(digits, at);
    int follow_up = run(digits);
    CHECK_EQ(source, follow_up);
}
