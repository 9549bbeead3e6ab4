/* Runs tests and judges groups. Standard input: the numbers of parameters, tests and groups (32-bit), the tests as doubles, and
 * for each group its relation, source and follow-up (32-bit). Standard output: a 64-bit digest of every test's output (0 when it
 * crashed or took too long), then one byte a group: 0 holds, 1 violated, 2 not judged. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "comer.h"

enum { MOST_HANGS = 5 };

static sigjmp_buf escape;

static void on_signal(int signal) { siglongjmp(escape, signal); }

static void watch(void) {
    static char stack[65536];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM};
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, 0);
}

static void limit(int milliseconds) {
    struct itimerval timer = {.it_value = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000}};
    setitimer(ITIMER_VIRTUAL, &timer, 0);
}

static uint64_t digest(const Output *output) {
    uint64_t hash = 1469598103934665603u;
    const unsigned char *bytes = (const unsigned char *)output->value;
    for (size_t i = 0; i < sizeof(double) * (size_t)output->count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return (hash ^ (uint64_t)output->count) | 1;
}

static void *need(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        exit(3);
    return memory;
}

int main(void) {
    int32_t head[3];
    if (fread(head, sizeof head, 1, stdin) != 1)
        return 2;
    size_t width = (size_t)head[0], tests = (size_t)head[1], groups = (size_t)head[2];
    double *values = need(width * tests * sizeof *values);
    int32_t(*group)[3] = need(groups * sizeof *group);
    Output *outputs = need(tests * sizeof *outputs);
    uint64_t *digests = need(tests * sizeof *digests);
    unsigned char *verdicts = need(groups);
    if (fread(values, sizeof *values * width, tests, stdin) != tests || fread(group, sizeof *group, groups, stdin) != groups)
        return 2;
    watch();
    volatile int hangs = 0;
    for (volatile size_t i = 0; i < tests; i++) {
        /* A program that hangs again and again is not worth the wait: the rest stays unjudged. */
        if (hangs == MOST_HANGS)
            break;
        int signal = sigsetjmp(escape, 1);
        if (signal == 0) {
            limit(20);
            run(values + width * i, &outputs[i]);
            limit(0);
            digests[i] = digest(&outputs[i]);
        } else {
            limit(0);
            digests[i] = 0;
            hangs += signal == SIGVTALRM;
        }
    }
    for (size_t i = 0; i < groups; i++) {
        size_t source = (size_t)group[i][1], follow = (size_t)group[i][2];
        int known = digests[source] != 0 && digests[follow] != 0 && group[i][0] < rule_count;
        verdicts[i] = 2;
        if (known)
            verdicts[i] = !rules[group[i][0]].holds(values + width * source, &outputs[source], values + width * follow, &outputs[follow]);
    }
    fwrite(digests, sizeof *digests, tests, stdout);
    fwrite(verdicts, 1, groups, stdout);
    return 0;
}
