#include "../common/comer.h"

typedef struct {
    int field[7];
} Date;
Date move_on(Date date, int weeks, int days, long seconds);

void run(const double *test, Output *output) {
    Date date;
    for (int i = 0; i < 7; i++)
        date.field[i] = (int)test[i];
    date = move_on(date, (int)test[7], (int)test[8], (long)test[9]);
    for (int i = 0; i < 7; i++)
        put(output, date.field[i]);
}

RULE(same_date) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"equal increments", same_date})
