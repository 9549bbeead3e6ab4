/* system.c: what programs ask of a system that WebAssembly here does not have. What can be answered is: signals that the program sends itself, memory maps, one user.
 * What can fail does so with an error code. What starts processes ends the run, and says so by name.
 */
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <unistd.h>

__attribute__((noreturn, import_module("twinrun"), import_name("unsupported"))) void tw__unsupported(const char *text, int length);

#define REFUSED(name) \
    do { \
        static const char text[] = "`" name "` was called: a subject runs alone and cannot start or reach other processes"; \
        tw__unsupported(text, sizeof text - 1); \
    } while (0)

static int fail(int error) {
    errno = error;
    return -1;
}

/* ---- Signals ---- */

static struct sigaction actions[NSIG];

static int is_signal(int number) { return number > 0 && number < NSIG; }

static void by_default(int number) {
    if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return;
    fprintf(stderr, "ended by signal %d\n", number);
    abort();
}

int raise(int number) {
    if (!is_signal(number)) return fail(EINVAL);
    struct sigaction action = actions[number];
    if (action.sa_handler == SIG_IGN) return 0;
    if (action.sa_handler == SIG_DFL) {
        by_default(number);
        return 0;
    }
    if (action.sa_flags & SA_RESETHAND) actions[number].sa_handler = SIG_DFL;
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_code = SI_USER, .si_pid = getpid()};
        action.sa_sigaction(number, &info, NULL);
    } else {
        action.sa_handler(number);
    }
    return 0;
}
void (*signal(int number, void (*handler)(int)))(int) {
    if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    void (*before)(int) = actions[number].sa_handler;
    actions[number] = (struct sigaction){.tw_handler = {handler}, .sa_flags = SA_RESTART};
    return before;
}
int sigaction(int number, const struct sigaction *restrict now, struct sigaction *restrict before) {
    if (!is_signal(number) || (now && (number == SIGKILL || number == SIGSTOP))) return fail(EINVAL);
    if (before) *before = actions[number];
    if (now) actions[number] = *now;
    return 0;
}
int kill(pid_t process, int number) {
    if (process == getpid() || process == 0) return number == 0 ? 0 : raise(number);
    return fail(ESRCH);
}
int killpg(pid_t group, int number) { return kill(group == getpid() ? group : -1, number); }
/* Sets are not kept: nothing is ever delayed. */
int sigemptyset(sigset_t *set) { return memset(set, 0, sizeof *set), 0; }
int sigfillset(sigset_t *set) { return memset(set, 0xff, sizeof *set), 0; }
int sigaddset(sigset_t *set, int number) { return (void)set, is_signal(number) ? 0 : fail(EINVAL); }
int sigdelset(sigset_t *set, int number) { return (void)set, is_signal(number) ? 0 : fail(EINVAL); }
int sigismember(const sigset_t *set, int number) { return (void)set, is_signal(number) ? 0 : fail(EINVAL); }
int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before) {
    (void)how, (void)set;
    if (before) sigemptyset(before);
    return 0;
}
int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict before) { return sigprocmask(how, set, before); }
int sigpending(sigset_t *set) { return sigemptyset(set); }
int sigaltstack(const stack_t *restrict now, stack_t *restrict before) {
    (void)now;
    if (before) *before = (stack_t){0};
    return 0;
}
int siginterrupt(int number, int interrupts) { return (void)number, (void)interrupts, 0; }
int sigsuspend(const sigset_t *set) {
    (void)set;
    REFUSED("sigsuspend");
}
int sigwait(const sigset_t *restrict set, int *restrict number) {
    (void)set, (void)number;
    REFUSED("sigwait");
}
int pause(void) { REFUSED("pause"); }
unsigned alarm(unsigned seconds) { return (void)seconds, 0; }
char *strsignal(int number) { return is_signal(number) ? "signal" : "unknown signal"; }
void psignal(int number, const char *text) { fprintf(stderr, "%s: signal %d\n", text, number); }

/* ---- Memory ---- */

enum { MAP_PAGE = 65536 };

void *mmap(void *wanted, size_t length, int protection, int flags, int file, off_t offset) {
    (void)wanted, (void)protection;
    int error = length == 0 || (flags & MAP_FIXED) ? EINVAL : 0;
    if (!(flags & MAP_ANON) && (flags & MAP_SHARED) && (protection & PROT_WRITE)) error = ENOTSUP;
    size_t rounded = (length + 4095) / 4096 * 4096;
    void *block = error ? NULL : aligned_alloc(4096, rounded);
    if (!block) {
        errno = error ? error : ENOMEM;
        return MAP_FAILED;
    }
    memset(block, 0, rounded);
    if (flags & MAP_ANON) return block;
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(file, (char *)block + done, length - done, offset + (off_t)done);
        if (got < 0) {
            free(block);
            return MAP_FAILED;
        }
        if (got == 0) break;
        done += (size_t)got;
    }
    return block;
}
/* A part in the middle stays: the block is one. */
int munmap(void *at, size_t length) {
    (void)length;
    if (at == MAP_FAILED || (uintptr_t)at % 4096) return fail(EINVAL);
    free(at);
    return 0;
}
int mprotect(void *at, size_t length, int protection) { return (void)at, (void)length, (void)protection, 0; }
int msync(void *at, size_t length, int flags) { return (void)at, (void)length, (void)flags, 0; }
int madvise(void *at, size_t length, int advice) { return (void)at, (void)length, (void)advice, 0; }
int posix_madvise(void *at, size_t length, int advice) { return (void)at, (void)length, (void)advice, 0; }
int mlock(const void *at, size_t length) { return (void)at, (void)length, 0; }
int munlock(const void *at, size_t length) { return (void)at, (void)length, 0; }
int mlockall(int flags) { return (void)flags, 0; }
int munlockall(void) { return 0; }
void *mremap(void *at, size_t length, size_t wanted, int flags, ...) {
    if (wanted <= length) return at;
    void *block = flags & MREMAP_MAYMOVE ? mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0) : MAP_FAILED;
    if (block == MAP_FAILED) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    memcpy(block, at, length);
    munmap(at, length);
    return block;
}
int shm_open(const char *name, int flags, mode_t mode) { return (void)name, (void)flags, (void)mode, fail(ENOSYS); }
int shm_unlink(const char *name) { return (void)name, fail(ENOENT); }
int getpagesize(void) { return MAP_PAGE; }

/* ---- Time and resources ---- */

clock_t times(struct tms *now) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    clock_t ticks = (clock_t)(time.tv_sec * 100 + time.tv_nsec / 10000000);
    if (now) *now = (struct tms){.tms_utime = ticks};
    return ticks;
}
int getrlimit(int what, struct rlimit *limit) { return (void)what, *limit = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY}, 0; }
int setrlimit(int what, const struct rlimit *limit) { return (void)what, (void)limit, 0; }
int getrusage(int whose, struct rusage *used) {
    (void)whose;
    struct tms now;
    clock_t ticks = times(&now);
    *used = (struct rusage){.ru_utime = {(time_t)(ticks / 100), (suseconds_t)(ticks % 100 * 10000)}};
    return 0;
}
int getpriority(int which, id_t who) { return (void)which, (void)who, 0; }
int setpriority(int which, id_t who, int priority) { return (void)which, (void)who, (void)priority, 0; }
int getloadavg(double *loads, int count) { return (void)loads, (void)count, -1; }
int nice(int by) { return (void)by, 0; }

/* ---- The process, its user and its group ---- */

enum { PROCESS = 42, USER = 1000 };

pid_t getpid(void) { return PROCESS; }
pid_t getppid(void) { return 1; }
pid_t getpgrp(void) { return PROCESS; }
pid_t getpgid(pid_t process) { return (void)process, PROCESS; }
pid_t getsid(pid_t process) { return (void)process, PROCESS; }
pid_t setsid(void) { return fail(EPERM); }
int setpgid(pid_t process, pid_t group) { return (void)process, (void)group, fail(EPERM); }
pid_t gettid(void) { return PROCESS; }
uid_t getuid(void) { return USER; }
uid_t geteuid(void) { return USER; }
gid_t getgid(void) { return USER; }
gid_t getegid(void) { return USER; }
int getgroups(int count, gid_t *groups) {
    if (count > 0) groups[0] = USER;
    return 1;
}
static int become(unsigned id) { return id == USER || id == (unsigned)-1 ? 0 : fail(EPERM); }
int setuid(uid_t user) { return become(user); }
int seteuid(uid_t user) { return become(user); }
int setgid(gid_t group) { return become(group); }
int setegid(gid_t group) { return become(group); }
int setreuid(uid_t real, uid_t effective) { return become(real) | become(effective); }
int setregid(gid_t real, gid_t effective) { return become(real) | become(effective); }
int initgroups(const char *user, gid_t group) { return (void)user, become(group); }
int setgroups(size_t count, const gid_t *groups) { return (void)count, (void)groups, fail(EPERM); }

static char user_name[] = "user", nothing[] = "", home[] = "/", shell[] = "/bin/sh";
static char *no_members[] = {NULL};
static struct passwd user = {user_name, nothing, USER, USER, nothing, home, shell};
static struct group group = {user_name, nothing, USER, no_members};

struct passwd *getpwuid(uid_t wanted) { return wanted == USER ? &user : NULL; }
struct passwd *getpwnam(const char *name) { return strcmp(name, user_name) == 0 ? &user : NULL; }
static int copied(const void *found, void *entry, size_t size, void **out) {
    if (found) memcpy(entry, found, size);
    *out = found ? entry : NULL;
    return 0;
}
int getpwuid_r(uid_t wanted, struct passwd *entry, char *buffer, size_t size, struct passwd **found) {
    (void)buffer, (void)size;
    return copied(getpwuid(wanted), entry, sizeof *entry, (void **)found);
}
int getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **found) {
    (void)buffer, (void)size;
    return copied(getpwnam(name), entry, sizeof *entry, (void **)found);
}
void setpwent(void) {}
void endpwent(void) {}
struct passwd *getpwent(void) { return NULL; }
struct group *getgrgid(gid_t wanted) { return wanted == USER ? &group : NULL; }
struct group *getgrnam(const char *name) { return strcmp(name, user_name) == 0 ? &group : NULL; }
int getgrgid_r(gid_t wanted, struct group *entry, char *buffer, size_t size, struct group **found) {
    (void)buffer, (void)size;
    return copied(getgrgid(wanted), entry, sizeof *entry, (void **)found);
}
int getgrnam_r(const char *name, struct group *entry, char *buffer, size_t size, struct group **found) {
    (void)buffer, (void)size;
    return copied(getgrnam(name), entry, sizeof *entry, (void **)found);
}
void setgrent(void) {}
void endgrent(void) {}
struct group *getgrent(void) { return NULL; }
char *getlogin(void) { return user_name; }
int getlogin_r(char *name, size_t size) {
    if (size < sizeof user_name) return ERANGE;
    memcpy(name, user_name, sizeof user_name);
    return 0;
}
int gethostname(char *name, size_t size) {
    static const char host[] = "localhost";
    if (size < sizeof host) return fail(ENAMETOOLONG);
    memcpy(name, host, sizeof host);
    return 0;
}

/* ---- Other processes ---- */

pid_t fork(void) { REFUSED("fork"); }
pid_t vfork(void) { REFUSED("vfork"); }
int execve(const char *path, char *const arguments[], char *const environment[]) {
    (void)path, (void)arguments, (void)environment;
    REFUSED("execve");
}
int execv(const char *path, char *const arguments[]) {
    (void)path, (void)arguments;
    REFUSED("execv");
}
int execvp(const char *file, char *const arguments[]) {
    (void)file, (void)arguments;
    REFUSED("execvp");
}
int execl(const char *path, const char *argument, ...) {
    (void)path, (void)argument;
    REFUSED("execl");
}
int execlp(const char *file, const char *argument, ...) {
    (void)file, (void)argument;
    REFUSED("execlp");
}
int execle(const char *path, const char *argument, ...) {
    (void)path, (void)argument;
    REFUSED("execle");
}
/* There is no shell, which a program may ask. */
int system(const char *command) {
    if (!command) return 0;
    REFUSED("system");
}
FILE *popen(const char *command, const char *mode) {
    (void)command, (void)mode;
    REFUSED("popen");
}
int pclose(FILE *stream) { return fclose(stream); }
int daemon(int stays, int keeps) {
    (void)stays, (void)keeps;
    REFUSED("daemon");
}
pid_t wait(int *status) { return (void)status, fail(ECHILD); }
pid_t waitpid(pid_t process, int *status, int options) { return (void)process, (void)status, (void)options, fail(ECHILD); }

/* ---- Files ---- */

int pipe(int ends[2]) { return (void)ends, fail(ENOSYS); }
int pipe2(int ends[2], int flags) { return (void)ends, (void)flags, fail(ENOSYS); }
int dup(int file) { return (void)file, fail(ENOSYS); }
int dup2(int file, int as) { return file == as ? as : fail(ENOSYS); }
int dup3(int file, int as, int flags) { return (void)file, (void)as, (void)flags, fail(ENOSYS); }
int chown(const char *path, uid_t owner, gid_t of) { return (void)path, become(owner) | become(of); }
int fchown(int file, uid_t owner, gid_t of) { return (void)file, become(owner) | become(of); }
int lchown(const char *path, uid_t owner, gid_t of) { return (void)path, become(owner) | become(of); }
int fchdir(int folder) { return (void)folder, fail(ENOSYS); }
int chroot(const char *path) { return (void)path, fail(EPERM); }
void sync(void) {}
int lockf(int file, int command, off_t length) { return (void)file, (void)command, (void)length, 0; }
int getdtablesize(void) { return 1024; }
char *ttyname(int file) { return (void)file, errno = ENOTTY, NULL; }
char *ctermid(char *name) {
    static char terminal[] = "/dev/tty";
    return name ? strcpy(name, terminal) : terminal;
}
int tcgetattr(int file, struct termios *settings) { return (void)file, (void)settings, fail(ENOTTY); }
int tcsetattr(int file, int when, const struct termios *settings) { return (void)file, (void)when, (void)settings, fail(ENOTTY); }

/* Names that no file has: the X at the end become a number. */
static char *unused(char *pattern) {
    size_t length = strlen(pattern);
    if (length < 6 || strcmp(pattern + length - 6, "XXXXXX") != 0) return errno = EINVAL, NULL;
    for (int number = 0; number < 10000; number++) {
        char digits[7];
        snprintf(digits, sizeof digits, "%06d", number);
        memcpy(pattern + length - 6, digits, 6);
        if (access(pattern, F_OK) != 0) return pattern;
    }
    return errno = EEXIST, NULL;
}
char *mktemp(char *pattern) { return unused(pattern); }
FILE *tmpfile(void) {
    char name[] = "/tmp-XXXXXX";
    return unused(name) ? fopen(name, "w+b") : NULL;
}
char *tmpnam(char *name) {
    static char own[L_tmpnam];
    if (!name) name = own;
    return unused(strcpy(name, "/tmp-XXXXXX"));
}
char *tempnam(const char *folder, const char *prefix) {
    (void)folder, (void)prefix;
    char *name = malloc(L_tmpnam);
    return name ? unused(strcpy(name, "/tmp-XXXXXX")) : NULL;
}

void openlog(const char *name, int options, int facility) { (void)name, (void)options, (void)facility; }
void syslog(int level, const char *format, ...) { (void)level, (void)format; }
void vsyslog(int level, const char *format, va_list arguments) { (void)level, (void)format, (void)arguments; }
void closelog(void) {}
int setlogmask(int mask) { return mask; }

/* ---- Libraries that are loaded at run time ---- */

void *dlopen(const char *file, int mode) { return (void)file, (void)mode, NULL; }
int dlclose(void *library) { return (void)library, -1; }
void *dlsym(void *restrict library, const char *restrict name) { return (void)library, (void)name, NULL; }
char *dlerror(void) { return "libraries cannot be loaded at run time here"; }
int dladdr(const void *address, Dl_info *info) { return (void)address, (void)info, 0; }

/* ---- The network ---- */

int h_errno;
int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints, struct addrinfo **restrict found) {
    (void)node, (void)service, (void)hints, (void)found;
    return EAI_FAIL;
}
void freeaddrinfo(struct addrinfo *list) { (void)list; }
int getnameinfo(const struct sockaddr *restrict address, socklen_t length, char *restrict host, socklen_t host_length, char *restrict service,
                socklen_t service_length, int flags) {
    (void)address, (void)length, (void)host, (void)host_length, (void)service, (void)service_length, (void)flags;
    return EAI_FAIL;
}
const char *gai_strerror(int error) { return (void)error, "a subject cannot reach the network"; }
const char *hstrerror(int error) { return gai_strerror(error); }
struct hostent *gethostbyname(const char *name) { return (void)name, h_errno = HOST_NOT_FOUND, NULL; }
struct hostent *gethostbyaddr(const void *address, socklen_t length, int family) {
    return (void)address, (void)length, (void)family, h_errno = HOST_NOT_FOUND, NULL;
}
struct servent *getservbyname(const char *name, const char *protocol) { return (void)name, (void)protocol, NULL; }
struct servent *getservbyport(int port, const char *protocol) { return (void)port, (void)protocol, NULL; }
struct protoent *getprotobyname(const char *name) { return (void)name, NULL; }
int socket(int domain, int type, int protocol) { return (void)domain, (void)type, (void)protocol, fail(EAFNOSUPPORT); }
int socketpair(int domain, int type, int protocol, int sockets[2]) { return (void)domain, (void)type, (void)protocol, (void)sockets, fail(EAFNOSUPPORT); }
int bind(int file, const struct sockaddr *address, socklen_t length) { return (void)file, (void)address, (void)length, fail(ENOTSOCK); }
int connect(int file, const struct sockaddr *address, socklen_t length) { return (void)file, (void)address, (void)length, fail(ENOTSOCK); }
int listen(int file, int waiting) { return (void)file, (void)waiting, fail(ENOTSOCK); }
int getsockname(int file, struct sockaddr *restrict address, socklen_t *restrict length) { return (void)file, (void)address, (void)length, fail(ENOTSOCK); }
int getpeername(int file, struct sockaddr *restrict address, socklen_t *restrict length) { return (void)file, (void)address, (void)length, fail(ENOTSOCK); }
int setsockopt(int file, int level, int option, const void *value, socklen_t length) {
    return (void)file, (void)level, (void)option, (void)value, (void)length, fail(ENOTSOCK);
}
ssize_t sendto(int file, const void *data, size_t length, int flags, const struct sockaddr *to, socklen_t to_length) {
    return (void)file, (void)data, (void)length, (void)flags, (void)to, (void)to_length, fail(ENOTSOCK);
}
ssize_t recvfrom(int file, void *restrict data, size_t length, int flags, struct sockaddr *restrict from, socklen_t *restrict from_length) {
    return (void)file, (void)data, (void)length, (void)flags, (void)from, (void)from_length, fail(ENOTSOCK);
}
ssize_t sendmsg(int file, const struct msghdr *message, int flags) { return (void)file, (void)message, (void)flags, fail(ENOTSOCK); }
ssize_t recvmsg(int file, struct msghdr *message, int flags) { return (void)file, (void)message, (void)flags, fail(ENOTSOCK); }
