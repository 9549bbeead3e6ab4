/* In how many ways a string of digits can be read as letters, where 1 stands for A and 26 for Z; -1 if it has other characters. */
#include "decoding_ways.h"

enum { LAST_LETTER = 26 };

static int is_digit(char c) {
    if (c < '0')
        return 0;
    if (c > '9')
        return 0;
    return 1;
}

static int value_of(char digit) {
    return digit - '0';
}

/* Is there a letter of this one digit? */
static int stands_alone(char digit) {
    if (value_of(digit) == 0)
        return 0;
    return 1;
}

/* Is there a letter of these two digits? */
static int makes_pair(char tens, char ones) {
    if (value_of(tens) == 0)
        return 0;
    int letter = 10 * value_of(tens) + value_of(ones);
    if (letter > LAST_LETTER)
        return 0;
    return 1;
}

int decoding_ways(const char *digits) {
    int length = 0;
    while (digits[length] != 0) {
        if (!is_digit(digits[length]))
            return -1;
        length++;
    }
    if (length == 0)
        return 0;

    /* The number of ways to read the digits so far, and those without the last digit. */
    int ways = 1;
    int ways_before = 0;
    for (int i = 0; i < length; i++) {
        int now = 0;
        if (stands_alone(digits[i]))
            now = now + ways;
        if (i > 0) {
            if (makes_pair(digits[i - 1], digits[i]))
                now = now + ways_before;
        }
        ways_before = ways;
        ways = now;
        if (ways == 0 && ways_before == 0)
            return 0;
    }
    return ways;
}
