#include "../common/comer.h"

enum { NEW_JOBS, NEW_QUEUE, PROMOTIONS, PROMOTED_QUEUE, PROMOTED_RATIO, BLOCKS, UNBLOCKS, UNBLOCKED_RATIO, EXPIRIES, FINISHES, FLUSHES };

void schedule_start(void);
void schedule_add(int queue);
void schedule_promote(int queue, double ratio);
void schedule_block(void);
void schedule_unblock(double ratio);
void schedule_expire(void);
int schedule_finish(void);

/* The ids of the jobs in the order in which they finish. */
void run(const double *test, Output *output) {
    schedule_start();
    for (int i = 0; i < (int)test[NEW_JOBS]; i++)
        schedule_add((int)test[NEW_QUEUE]);
    for (int i = 0; i < (int)test[PROMOTIONS]; i++)
        schedule_promote((int)test[PROMOTED_QUEUE], test[PROMOTED_RATIO]);
    for (int i = 0; i < (int)test[BLOCKS]; i++)
        schedule_block();
    for (int i = 0; i < (int)test[UNBLOCKS]; i++)
        schedule_unblock(test[UNBLOCKED_RATIO]);
    for (int i = 0; i < (int)test[EXPIRIES]; i++)
        schedule_expire();
    for (int i = 0; i < (int)test[FINISHES]; i++)
        put(output, schedule_finish());
    for (int i = 0; i < 20 * (int)test[FLUSHES]; i++) {
        int job = schedule_finish();
        if (job < 0)
            break;
        put(output, job);
    }
}

RULE(same_schedule) {
    UNUSED_TESTS;
    return same_output(first, second);
}

RULES({"only job", same_schedule}, {"promote", same_schedule}, {"block and unblock", same_schedule})
