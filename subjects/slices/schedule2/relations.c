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

/* While a job of the highest priority is current, nobody preempts it, and the published relation holds to the letter: a new job of
 * priority i + 1 is one of priority i that is raised at once. */
RELATION(raised_while_busy) {
    Commands source = draw_commands(), follow_up;
    int busy = tw_i32("busy", 1, 3), kept = 0;
    for (int i = 0; i < source.count; i++) /* nothing that could end it */
        if (source.ops[i].op == NEW_JOB || source.ops[i].op == UPGRADE || source.ops[i].op == EXPIRE) source.ops[kept++] = source.ops[i];
    source.count = kept;
    source.jobs[0] = busy;
    follow_up = (Commands){.jobs = {busy, source.jobs[1], source.jobs[2]}};
    for (int i = 0; i < source.count; i++) {
        if (source.ops[i].op == NEW_JOB && source.ops[i].arg[0] > 1) {
            add_command(&follow_up, NEW_JOB, source.ops[i].arg[0] - 1, 0);
            add_command(&follow_up, UPGRADE, source.ops[i].arg[0] - 1, LAST);
        } else follow_up.ops[follow_up.count++] = source.ops[i];
    }
    int rounds = tw_i32("rounds", 0, 6);
    for (int i = 0; i < rounds; i++) {
        /* Served in turn: who is finished, and whose time is over. */
        int op = tw_bool("finish") ? FINISH : EXPIRE;
        add_command(&source, op, 0, 0);
        add_command(&follow_up, op, 0, 0);
    }
    add_command(&source, FLUSH, 0, 0);
    add_command(&follow_up, FLUSH, 0, 0);
    Answer first = run(&source), second = run(&follow_up);
    CHECK_TEXT(first.out, second.out);
}

/* However jobs arrive, they are finished by priority: the priorities of the printed jobs are those of the jobs that arrive sorted. */
RELATION(arrival_order) {
    enum { MOST = 6 };
    int n = tw_len("n", 1, MOST), priority[MOST], sorted[MOST];
    tw_i32s("priority", priority, n, 1, 3);
    TW_COPY(sorted, priority, n);
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && sorted[j - 1] < sorted[j]; j--) TW_SWAP(sorted, j - 1, j);
    Commands source = {0}, follow_up = {0};
    for (int i = 0; i < n; i++) {
        add_command(&source, NEW_JOB, priority[i], 0);
        add_command(&follow_up, NEW_JOB, sorted[i], 0);
    }
    add_command(&source, FLUSH, 0, 0);
    add_command(&follow_up, FLUSH, 0, 0);
    Answer first = run(&source), second = run(&follow_up);
    const char *p = first.out, *q = second.out;
    CHECK_EQ(first.lines, n);
    CHECK_EQ(second.lines, n);
    for (int i = 0; i < n; i++) {
        int one = 0, other = 0;
        while (*p != '\n') one = 10 * one + (*p++ - '0');
        while (*q != '\n') other = 10 * other + (*q++ - '0');
        p++, q++;
        CHECK(one >= 1 && one <= n && other >= 1 && other <= n);
        CHECK_EQ(priority[one - 1], sorted[other - 1]);
    }
}
