/* What the relations of both schedulers share: sequences of commands, drawn, changed, written and run. */
#include <stdio.h>
#include <string.h>

#include <twinrun.h>

enum { NEW_JOB, UPGRADE, BLOCK, UNBLOCK, EXPIRE, FINISH, FLUSH };
enum { MOST_DRAWN = 12, MOST_COMMANDS = 80, LAST = 99, ROOM = 1024 };

/* Ratios are in hundredths; fewer than 100 jobs, so that 0.99 chooses the last one. */
typedef struct {
    int jobs[3]; /* of priority 3, 2, 1 */
    int count;
    tw_op ops[MOST_COMMANDS];
} Commands;

typedef struct {
    int lines;
    char out[ROOM];
} Answer;

static inline Commands draw_commands(void) {
    Commands commands = {0};
    tw_i32s("jobs", commands.jobs, 3, 0, 3);
    commands.count =
        tw_ops("commands", commands.ops, MOST_DRAWN, "new 1..3; upgrade 1..2 0..99; block; unblock 0..99; expire; finish; flush");
    return commands;
}

static inline void add_command(Commands *commands, int op, int first, int second) {
    tw_op *added = &commands->ops[commands->count++];
    added->op = op;
    added->arg[0] = first;
    added->arg[1] = second;
    added->arg[2] = 0;
}

static inline int initial_jobs(const Commands *commands) { return commands->jobs[0] + commands->jobs[1] + commands->jobs[2]; }

/* How many jobs are ready and blocked after a command. */
static inline void count_jobs(const tw_op *op, int *ready, int *blocked) {
    switch (op->op) {
    case NEW_JOB: ++*ready; break;
    case BLOCK: if (*ready > 0) --*ready, ++*blocked; break;
    case UNBLOCK: if (*blocked > 0) --*blocked, ++*ready; break;
    case FINISH: if (*ready > 0) --*ready; break;
    case FLUSH: *ready = 0; break;
    default: break;
    }
}

/* Takes the blocking and unblocking out of the commands up to the first finish or flush and puts their difference there. False if
 * one of them would have had no job. */
static inline bool reduce_blocking(const Commands *source, Commands *follow_up) {
    int ready = initial_jobs(source), blocked = 0, i = 0;
    *follow_up = (Commands){.jobs = {source->jobs[0], source->jobs[1], source->jobs[2]}};
    for (; i < source->count && source->ops[i].op != FINISH && source->ops[i].op != FLUSH; i++) {
        const tw_op *op = &source->ops[i];
        if ((op->op == BLOCK && ready == 0) || (op->op == UNBLOCK && blocked == 0)) return false;
        if (op->op != BLOCK && op->op != UNBLOCK) follow_up->ops[follow_up->count++] = *op;
        count_jobs(op, &ready, &blocked);
    }
    for (int job = 0; job < blocked; job++) add_command(follow_up, BLOCK, 0, 0);
    for (; i < source->count; i++) follow_up->ops[follow_up->count++] = source->ops[i];
    return true;
}

static inline Answer run(const Commands *commands) {
    char text[3][12], in[ROOM] = "";
    int length = 0;
    tw_arg arguments[3];
    for (int i = 0; i < 3; i++) {
        snprintf(text[i], sizeof text[i], "%d", commands->jobs[i]);
        arguments[i] = TW_STR(text[i]);
    }
    for (int i = 0; i < commands->count; i++) {
        const tw_op *op = &commands->ops[i];
        char *end = in + length;
        int room = ROOM - length;
        switch (op->op) {
        case NEW_JOB: length += snprintf(end, room, "1 %d\n", op->arg[0]); break;
        case UPGRADE: length += snprintf(end, room, "2 %d 0.%02d\n", op->arg[0], op->arg[1]); break;
        case UNBLOCK: length += snprintf(end, room, "4 0.%02d\n", op->arg[0]); break;
        default: length += snprintf(end, room, "%d\n", op->op + 1);
        }
    }
    GIVEN_I32S("jobs", commands->jobs, 3);
    GIVEN_TEXT("commands", in);
    Answer answer = {0};
    int exit_code = tw_run_program(arguments, 3, in, length, answer.out, sizeof answer.out);
    OUTPUT_TEXT("out", answer.out);
    CHECK_EQ(exit_code, 0);
    for (const char *p = answer.out; *p; p++) answer.lines += *p == '\n';
    return answer;
}
