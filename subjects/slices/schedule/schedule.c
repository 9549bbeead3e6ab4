/* schedule JOBS3 JOBS2 JOBS1: a priority scheduler without preemption, driven by commands on standard input.
 *
 *     1 PRIORITY          a new job at the end of the list of this priority (1, 2, 3; 3 is the highest)
 *     2 PRIORITY RATIO    raises a job of this list (1, 2) to the end of the next one
 *     3                   blocks the active job
 *     4 RATIO             unblocks a job: to the end of the list of its priority
 *     5                   the active job's time is over: to the end of its list
 *     6                   the active job is done and its number printed
 *     7                   all jobs that are not blocked are done, one after another
 *
 * The active job is the first one of the highest list that has any. A ratio from 0 up to, but without, 1 chooses the job with the
 * index ratio × length. The arguments say how many jobs there are of each priority at the beginning.
 *
 * Written after the public description of the program of this name in the Siemens suite (Hutchins et al., 1994). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOWEST = 1, HIGHEST = 3, LISTS = HIGHEST + 1 };
enum { NEW_JOB = 1, UPGRADE = 2, BLOCK = 3, UNBLOCK = 4, EXPIRE = 5, FINISH = 6, FLUSH = 7 };

typedef struct Job {
    int number;
    int priority;
    struct Job *next;
} Job;

typedef struct {
    Job *first;
    Job *last;
    int length;
} List;

/* ---- Lists ---- */

static void list_init(List *list) {
    list->first = NULL;
    list->last = NULL;
    list->length = 0;
}

static void list_append(List *list, Job *job) {
    job->next = NULL;
    if (list->last == NULL)
        list->first = job;
    else
        list->last->next = job;
    list->last = job;
    list->length++;
}

/* Takes out the job with this index; null if there is none. */
static Job *list_take(List *list, int index) {
    Job *before = NULL;
    Job *job = list->first;
    if (index < 0)
        return NULL;
    while (job != NULL && index > 0) {
        before = job;
        job = job->next;
        index--;
    }
    if (job == NULL)
        return NULL;
    if (before == NULL)
        list->first = job->next;
    else
        before->next = job->next;
    if (list->last == job)
        list->last = before;
    list->length--;
    job->next = NULL;
    return job;
}

static int index_for(const List *list, double ratio) {
    return (int)(ratio * list->length);
}

/* ---- The scheduler ---- */

typedef struct {
    List ready[LISTS]; /* by priority; the first one is not used */
    List blocked;
    int next_number;
} Scheduler;

static void scheduler_init(Scheduler *scheduler) {
    for (int priority = 0; priority < LISTS; priority++)
        list_init(&scheduler->ready[priority]);
    list_init(&scheduler->blocked);
    scheduler->next_number = 1;
}

static bool is_priority(int priority) {
    return priority >= LOWEST && priority <= HIGHEST;
}

static bool is_ratio(double ratio) {
    return ratio >= 0.0 && ratio <= 1.0;
}

static bool new_job(Scheduler *scheduler, int priority) {
    if (!is_priority(priority))
        return false;
    Job *job = malloc(sizeof *job);
    if (job == NULL)
        return false;
    job->number = scheduler->next_number;
    job->priority = priority;
    scheduler->next_number++;
    list_append(&scheduler->ready[priority], job);
    return true;
}

static bool upgrade(Scheduler *scheduler, int priority, double ratio) {
    if (!is_priority(priority) || !is_ratio(ratio))
        return false;
    if (priority == HIGHEST)
        return true;
    List *list = &scheduler->ready[priority];
    Job *job = list_take(list, index_for(list, ratio));
    if (job != NULL) {
        job->priority = priority + 1;
        list_append(&scheduler->ready[priority + 1], job);
    }
    return true;
}

/* Takes the active job out of its list; null if there is none. */
static Job *take_active(Scheduler *scheduler) {
    for (int priority = HIGHEST; priority >= LOWEST; priority--) {
        if (scheduler->ready[priority].length > 0)
            return list_take(&scheduler->ready[priority], 0);
    }
    return NULL;
}

static void block(Scheduler *scheduler) {
    Job *job = take_active(scheduler);
    if (job != NULL)
        list_append(&scheduler->blocked, job);
}

static bool unblock(Scheduler *scheduler, double ratio) {
    if (!is_ratio(ratio))
        return false;
    Job *job = list_take(&scheduler->blocked, index_for(&scheduler->blocked, ratio));
    if (job != NULL)
        list_append(&scheduler->ready[job->priority], job);
    return true;
}

static void expire(Scheduler *scheduler) {
    Job *job = take_active(scheduler);
    if (job != NULL)
        list_append(&scheduler->ready[job->priority], job);
}

/* False if there is no active job. */
static bool finish(Scheduler *scheduler) {
    Job *job = take_active(scheduler);
    if (job == NULL)
        return false;
    printf("%d\n", job->number);
    free(job);
    return true;
}

static void flush(Scheduler *scheduler) {
    while (finish(scheduler))
        continue;
}

/* ---- Commands ---- */

static bool execute(Scheduler *scheduler, int command) {
    int priority;
    double ratio;
    switch (command) {
    case NEW_JOB:
        return scanf("%d", &priority) == 1 && new_job(scheduler, priority);
    case UPGRADE:
        return scanf("%d %lf", &priority, &ratio) == 2 && upgrade(scheduler, priority, ratio);
    case BLOCK:
        block(scheduler);
        return true;
    case UNBLOCK:
        return scanf("%lf", &ratio) == 1 && unblock(scheduler, ratio);
    case EXPIRE:
        expire(scheduler);
        return true;
    case FINISH:
        finish(scheduler);
        return true;
    case FLUSH:
        flush(scheduler);
        return true;
    default:
        return false;
    }
}

static void release(List *list) {
    while (list->length > 0)
        free(list_take(list, 0));
}

int main(int argc, char **argv) {
    Scheduler scheduler;
    int command;
    int status = 0;
    if (argc != 1 + HIGHEST) {
        fprintf(stderr, "usage: schedule JOBS3 JOBS2 JOBS1\n");
        return 2;
    }
    scheduler_init(&scheduler);
    for (int i = 1; i <= HIGHEST; i++) {
        int count = atoi(argv[i]);
        for (int job = 0; job < count; job++)
            new_job(&scheduler, HIGHEST + 1 - i);
    }
    while (scanf("%d", &command) == 1) {
        if (!execute(&scheduler, command)) {
            printf("bad command %d\n", command);
            status = 1;
        }
    }
    for (int priority = LOWEST; priority <= HIGHEST; priority++)
        release(&scheduler.ready[priority]);
    release(&scheduler.blocked);
    return status;
}
