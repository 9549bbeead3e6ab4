/* signal.h for WebAssembly: nothing sends signals but the program itself; `raise` calls the handler (system.c). */
#ifndef TWINRUN_SIGNAL_H
#define TWINRUN_SIGNAL_H

#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define NSIG 65
#define _NSIG NSIG
#define SIGRTMIN 34
#define SIGRTMAX 64

/* Functions are numbered from 1 in WebAssembly. */
#define SIG_DFL ((void (*)(int))0)
#define SIG_ERR ((void (*)(int))-1)
#define SIG_IGN ((void (*)(int))-2)

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192

#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define SI_USER 0

typedef volatile int sig_atomic_t;
#ifndef __DEFINED_sigset_t
typedef unsigned char sigset_t;
#define __DEFINED_sigset_t
#endif
typedef void (*sighandler_t)(int);
typedef sighandler_t sig_t;

union sigval {
    int sival_int;
    void *sival_ptr;
};
typedef struct {
    int si_signo, si_errno, si_code;
    pid_t si_pid;
    uid_t si_uid;
    void *si_addr;
    int si_status;
    union sigval si_value;
} siginfo_t;
struct sigaction {
    union {
        void (*sa_handler)(int);
        void (*sa_sigaction)(int, siginfo_t *, void *);
    } tw_handler;
    sigset_t sa_mask;
    unsigned sa_flags;
    void (*sa_restorer)(void);
};
#define sa_handler tw_handler.sa_handler
#define sa_sigaction tw_handler.sa_sigaction
typedef struct {
    void *ss_sp;
    int ss_flags;
    size_t ss_size;
} stack_t;

void (*signal(int number, void (*handler)(int)))(int);
int raise(int number);
int kill(pid_t process, int number);
int killpg(pid_t group, int number);
int sigaction(int number, const struct sigaction *__restrict now, struct sigaction *__restrict before);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *__restrict set, sigset_t *__restrict before);
int pthread_sigmask(int how, const sigset_t *__restrict set, sigset_t *__restrict before);
int sigpending(sigset_t *set);
int sigsuspend(const sigset_t *set);
int sigaltstack(const stack_t *__restrict now, stack_t *__restrict before);
int siginterrupt(int number, int interrupts);
int sigwait(const sigset_t *__restrict set, int *__restrict number);
void psignal(int number, const char *text);
char *strsignal(int number);

#ifdef __cplusplus
}
#endif
#endif
