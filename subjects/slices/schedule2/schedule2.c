/* schedule2 JOBS3 JOBS2 JOBS1: a priority scheduler with preemption, driven by commands on standard input.
 *
 *     1 PRIORITY          a new job with this priority (1, 2, 3; 3 is the highest)
 *     2 PRIORITY RATIO    raises a waiting job of this priority (1, 2) by one
 *     3                   blocks the current job
 *     4 RATIO             unblocks a job
 *     5                   the current job's time is over: it waits behind the others of its priority
 *     6                   the current job is done and its number printed
 *     7                   all jobs that are not blocked are done, one after another
 *
 * The current job is held apart from those that wait. Whenever a job is added, unblocked or raised to a higher priority than the
 * current one, the current one has to wait again. A ratio from 0 up to, but without, 1 chooses the job with the index ratio ×
 * length.
 *
 * Written after the public description of the program of this name in the Siemens suite (Hutchins et al., 1994). */
#include <stdio.h>
#include <stdlib.h>

enum { OK = 0, BAD_PRIORITY = -1, BAD_RATIO = -2, BAD_ARGUMENTS = -3, NO_COMMAND = -4, NO_MEMORY = -5 };
enum { BLOCKED = 0, LOWEST = 1, HIGHEST = 3, QUEUES = 4 }; /* queue 0 has the blocked jobs */
enum { NEW_JOB = 1, UPGRADE_PRIORITY, BLOCK, UNBLOCK, QUANTUM_EXPIRE, FINISH, FLUSH };

struct job {
    struct job *next;
    int id;
    int priority;
};

static struct queue {
    int length;
    struct job *head;
} queues[QUEUES];

static struct job *current;
static int next_id;

/* ---- Queues ---- */

static int enqueue(int which, struct job *job) {
    struct job **end = &queues[which].head;
    while (*end)
        end = &(*end)->next;
    job->next = NULL;
    *end = job;
    queues[which].length++;
    return OK;
}

/* The job at ratio × length of the queue, taken out; null if there is none. */
static struct job *dequeue_at(int which, double ratio) {
    struct queue *queue = &queues[which];
    int index = (int)(queue->length * ratio);
    struct job **link = &queue->head;
    if (index >= queue->length)
        return NULL;
    while (index > 0) {
        link = &(*link)->next;
        index--;
    }
    struct job *job = *link;
    *link = job->next;
    job->next = NULL;
    queue->length--;
    return job;
}

/* ---- Choosing the current job ---- */

static struct job *dequeue_highest(void) {
    int which = HIGHEST;
    while (which > BLOCKED) {
        if (queues[which].length > 0)
            return dequeue_at(which, 0.0);
        which--;
    }
    return NULL;
}

static struct job *get_current(void) {
    if (!current)
        current = dequeue_highest();
    return current;
}

/* A job of this priority has come: is the current one less urgent? */
static int reschedule(int priority) {
    if (current && priority > current->priority) {
        struct job *preempted = current;
        current = NULL;
        enqueue(preempted->priority, preempted);
    }
    get_current();
    return OK;
}

/* ---- Commands ---- */

static int check_priority(int priority, int highest) {
    if (priority < LOWEST || priority > highest)
        return BAD_PRIORITY;
    return OK;
}

static int check_ratio(double ratio) {
    if (ratio < 0.0 || ratio > 1.0)
        return BAD_RATIO;
    return OK;
}

static int new_job(int priority) {
    int status = check_priority(priority, HIGHEST);
    if (status != OK)
        return status;
    struct job *job = malloc(sizeof *job);
    if (!job)
        return NO_MEMORY;
    job->id = next_id++;
    job->priority = priority;
    enqueue(priority, job);
    return reschedule(priority);
}

static int upgrade_priority(int priority, double ratio) {
    int status = check_priority(priority, HIGHEST - 1);
    if (status != OK)
        return status;
    status = check_ratio(ratio);
    if (status != OK)
        return status;
    struct job *job = dequeue_at(priority, ratio);
    if (!job)
        return OK;
    job->priority = priority + 1;
    enqueue(job->priority, job);
    return reschedule(job->priority);
}

static int block(void) {
    struct job *job = get_current();
    if (job) {
        current = NULL;
        enqueue(BLOCKED, job);
        get_current();
    }
    return OK;
}

static int unblock(double ratio) {
    int status = check_ratio(ratio);
    if (status != OK)
        return status;
    struct job *job = dequeue_at(BLOCKED, ratio);
    if (!job)
        return OK;
    enqueue(job->priority, job);
    return reschedule(job->priority);
}

static int quantum_expire(void) {
    struct job *job = get_current();
    if (job) {
        current = NULL;
        enqueue(job->priority, job);
        get_current();
    }
    return OK;
}

static int finish(void) {
    struct job *job = get_current();
    if (job) {
        current = NULL;
        printf("%d\n", job->id);
        free(job);
        get_current();
    }
    return OK;
}

static int flush(void) {
    while (get_current())
        finish();
    return OK;
}

static int schedule(int command, int priority, double ratio) {
    switch (command) {
    case NEW_JOB:
        return new_job(priority);
    case UPGRADE_PRIORITY:
        return upgrade_priority(priority, ratio);
    case BLOCK:
        return block();
    case UNBLOCK:
        return unblock(ratio);
    case QUANTUM_EXPIRE:
        return quantum_expire();
    case FINISH:
        return finish();
    case FLUSH:
        return flush();
    default:
        return NO_COMMAND;
    }
}

/* Reads a command with its arguments; 0 at the end of the input. */
static int get_command(int *command, int *priority, double *ratio) {
    *priority = 0;
    *ratio = 0.0;
    if (scanf("%d", command) != 1)
        return 0;
    switch (*command) {
    case NEW_JOB:
        return scanf("%d", priority) == 1;
    case UPGRADE_PRIORITY:
        return scanf("%d%lf", priority, ratio) == 2;
    case UNBLOCK:
        return scanf("%lf", ratio) == 1;
    default:
        return 1;
    }
}

static void complain(int status) {
    switch (status) {
    case BAD_PRIORITY:
        printf("bad priority\n");
        break;
    case BAD_RATIO:
        printf("bad ratio\n");
        break;
    case NO_COMMAND:
        printf("no such command\n");
        break;
    default:
        printf("error %d\n", status);
    }
}

int main(int argc, char **argv) {
    int command, priority;
    double ratio;
    if (argc < QUEUES) {
        fprintf(stderr, "usage: schedule2 JOBS3 JOBS2 JOBS1\n");
        return -BAD_ARGUMENTS;
    }
    for (int which = 0; which < QUEUES; which++) {
        queues[which].length = 0;
        queues[which].head = NULL;
    }
    current = NULL;
    next_id = 1;
    for (priority = HIGHEST; priority >= LOWEST; priority--) {
        for (int count = atoi(argv[QUEUES - priority]); count > 0; count--) {
            int status = new_job(priority);
            if (status != OK)
                return -status;
        }
    }
    while (get_command(&command, &priority, &ratio)) {
        int status = schedule(command, priority, ratio);
        if (status != OK)
            complain(status);
    }
    return 0;
}
