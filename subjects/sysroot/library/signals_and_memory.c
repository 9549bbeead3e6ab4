#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/times.h>
#include <unistd.h>
static volatile sig_atomic_t seen;
static void on(int n) { seen = seen * 10 + (n == SIGUSR1 ? 1 : 2); }
int main(void) {
    struct sigaction a; memset(&a, 0, sizeof a); a.sa_handler = on; sigaction(SIGUSR1, &a, NULL); signal(SIGTERM, on);
    raise(SIGUSR1); kill(getpid(), SIGTERM); signal(SIGUSR1, SIG_IGN); raise(SIGUSR1); printf("%d\n", (int)seen);
    char *p = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d %d\n", p != MAP_FAILED, p[9999]); strcpy(p, "mapped"); printf("%s %d\n", p, mprotect(p, 10000, PROT_READ)); printf("%d\n", munmap(p, 10000));
    struct tms t; printf("%d\n", times(&t) != (clock_t)-1);
    printf("%d %d\n", dlopen("/no/such.so", RTLD_NOW) == NULL, dlerror() != NULL);
    struct addrinfo *found = NULL; printf("%d\n", getaddrinfo("no.such.host.invalid", "80", NULL, &found) != 0);
    printf("%d\n", getpid() > 0 && getppid() >= 0);
    return 0;
}
