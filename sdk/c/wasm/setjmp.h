/* setjmp.h for WebAssembly: jumps leave calls as exceptions do (unwind.c). A jump into a call that has ended is reported. */
#ifndef TWINRUN_SETJMP_H
#define TWINRUN_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef TWINRUN_STAYS_IN_CALLS
/* This compiler cannot lower jumps: setjmp always returns 0, and a run that calls longjmp ends as crashed (unsupported). */
typedef int jmp_buf[1];
typedef int sigjmp_buf[1];
#define setjmp(buffer) ((void)(buffer), 0)
__attribute__((noreturn, import_module("env"), import_name("longjmp"))) void longjmp(jmp_buf buffer, int value);
#else
/* The call of the function that called setjmp, which of its setjmps it was, and how many runs were open. */
struct tw_jmp_buf {
    void *call;
    unsigned label;
    int open_runs;
    unsigned room[13];
};
typedef struct tw_jmp_buf jmp_buf[1];
typedef struct tw_jmp_buf sigjmp_buf[1];

int setjmp(jmp_buf buffer) __attribute__((returns_twice));
__attribute__((noreturn)) void longjmp(jmp_buf buffer, int value);

#define setjmp setjmp
#endif

/* A subject has no signal masks that a jump would bring back. */
#define _setjmp(buffer) setjmp(buffer)
#define _longjmp(buffer, value) longjmp(buffer, value)
#define sigsetjmp(buffer, mask) ((void)(mask), setjmp(buffer))
#define siglongjmp(buffer, value) longjmp(buffer, value)

#ifdef __cplusplus
}
#endif

#endif
