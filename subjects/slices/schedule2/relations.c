/* The first three relations are published (Xie et al., 2013). There, the last job of a list is chosen with the ratio 1.00; but
 * ratio × length is then the index behind the last one, and nothing is chosen: the relations hold only with a ratio just below 1. As preemption may
 * change who is served first, only the number of printed jobs is compared there. */
#include <twinrun.h>

#include "../schedule_commands.h"

/* "5" is "3" and then "4" for the last of the blocked jobs, while there is an active job. */
RELATION(expire_is_block_and_unblock) {
    Commands source = draw_commands(), follow_up = {.jobs = {source.jobs[0], source.jobs[1], source.jobs[2]}};
    int ready = initial_jobs(&source), blocked = 0;
    for (int i = 0; i < source.count; i++) {
        if (source.ops[i].op == EXPIRE && ready > 0) {
            add_command(&follow_up, BLOCK, 0, 0);
            add_command(&follow_up, UNBLOCK, LAST, 0);
        } else follow_up.ops[follow_up.count++] = source.ops[i];
        count_jobs(&source.ops[i], &ready, &blocked);
    }
    Answer first = run(&source), second = run(&follow_up);
    CHECK_EQ(first.lines, second.lines);
}

/* A new job of priority i + 1 is one of priority i that is raised at once. */
RELATION(new_job_is_raised_job) {
    Commands source = draw_commands(), follow_up = {.jobs = {source.jobs[0], source.jobs[1], source.jobs[2]}};
    for (int i = 0; i < source.count; i++) {
        if (source.ops[i].op == NEW_JOB && source.ops[i].arg[0] > 1) {
            add_command(&follow_up, NEW_JOB, source.ops[i].arg[0] - 1, 0);
            add_command(&follow_up, UPGRADE, source.ops[i].arg[0] - 1, LAST);
        } else follow_up.ops[follow_up.count++] = source.ops[i];
    }
    Answer first = run(&source), second = run(&follow_up);
    CHECK_EQ(first.lines, second.lines);
}

/* Blocking and unblocking in a stretch of commands may be reduced to their difference: as many jobs are printed. */
RELATION(block_by_difference) {
    Commands source = draw_commands(), follow_up;
    ASSUME(reduce_blocking(&source, &follow_up));
    Answer first = run(&source), second = run(&follow_up);
    CHECK_EQ(first.lines, second.lines);
}

/* Flushing is finishing as often as there are jobs. */
RELATION(flush_is_finish) {
    Commands source = draw_commands(), follow_up = {.jobs = {source.jobs[0], source.jobs[1], source.jobs[2]}};
    add_command(&source, FLUSH, 0, 0);
    int ready = initial_jobs(&source), blocked = 0;
    for (int i = 0; i < source.count; i++) {
        if (source.ops[i].op == FLUSH) {
            for (int job = 0; job < ready; job++) add_command(&follow_up, FINISH, 0, 0);
        } else follow_up.ops[follow_up.count++] = source.ops[i];
        count_jobs(&source.ops[i], &ready, &blocked);
    }
    Answer first = run(&source), second = run(&follow_up);
    CHECK_TEXT(first.out, second.out);
}

/* Jobs at the beginning are jobs that the first commands bring. */
RELATION(jobs_by_commands) {
    Commands source = draw_commands(), follow_up = {0};
    for (int i = 0; i < 3; i++)
        for (int job = 0; job < source.jobs[i]; job++) add_command(&follow_up, NEW_JOB, 3 - i, 0);
    for (int i = 0; i < source.count; i++) follow_up.ops[follow_up.count++] = source.ops[i];
    Answer first = run(&source), second = run(&follow_up);
    CHECK_TEXT(first.out, second.out);
}

/* When the time of every job of the highest priority was over once, they are back in their order. */
RELATION(expire_all_round) {
    Commands source = draw_commands();
    int jobs = tw_i32("jobs", 1, 4);
    Commands follow_up = {.jobs = {jobs, source.jobs[1], source.jobs[2]}};
    source.jobs[0] = jobs;
    for (int i = 0; i < jobs; i++) add_command(&follow_up, EXPIRE, 0, 0);
    for (int i = 0; i < source.count; i++) follow_up.ops[follow_up.count++] = source.ops[i];
    Answer first = run(&source), second = run(&follow_up);
    CHECK_TEXT(first.out, second.out);
}
