#include "../common/comer.h"

long encrypt(long p, long q, long e, long m);

void run(const double *test, Output *output) { put(output, (double)encrypt((long)test[0], (long)test[1], (long)test[2], (long)test[3])); }

RULE(same_number) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"one period", same_number})
