/* sys/times.h for WebAssembly: the clock of the sandbox, all of it the program's own. */
#ifndef TWINRUN_SYS_TIMES_H
#define TWINRUN_SYS_TIMES_H

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tms {
    clock_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
clock_t times(struct tms *now);

#ifdef __cplusplus
}
#endif
#endif
