#include "../common/comer.h"

typedef struct {
    int field[12];
} Situation;
int advice(const Situation *s);

void run(const double *test, Output *output) {
    Situation situation;
    for (int i = 0; i < 12; i++)
        situation.field[i] = (int)test[i];
    put(output, advice(&situation));
}

RULE(same_advice) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"altitudes", same_advice}, {"no system", same_advice}, {"no intention", same_advice})
