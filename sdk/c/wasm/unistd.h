/* unistd.h for WebAssembly: the C library's, and what it leaves out. Processes are refused by name when they are asked for (system.c). */
#ifndef TWINRUN_UNISTD_H
#define TWINRUN_UNISTD_H

/* The library's own declaration warns of what is answered here. */
#define getpid tw_library_getpid
#include_next <unistd.h>
#undef getpid

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

pid_t getpid(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t getpgid(pid_t process);
pid_t getsid(pid_t process);
pid_t setsid(void);
int setpgid(pid_t process, pid_t group);
pid_t gettid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int getgroups(int count, gid_t *groups);
int setuid(uid_t user);
int seteuid(uid_t user);
int setgid(gid_t group);
int setegid(gid_t group);
int setreuid(uid_t real, uid_t effective);
int setregid(gid_t real, gid_t effective);
char *getlogin(void);
int getlogin_r(char *name, size_t size);
int gethostname(char *name, size_t size);
char *ttyname(int file);
char *ctermid(char *name);

pid_t fork(void);
pid_t vfork(void);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execv(const char *path, char *const arguments[]);
int execvp(const char *file, char *const arguments[]);
int execl(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execle(const char *path, const char *argument, ...);

int pipe(int ends[2]);
int pipe2(int ends[2], int flags);
int dup(int file);
int dup2(int file, int as);
int dup3(int file, int as, int flags);
int chown(const char *path, uid_t user, gid_t group);
int fchown(int file, uid_t user, gid_t group);
int lchown(const char *path, uid_t user, gid_t group);
int fchdir(int folder);
int chroot(const char *path);
unsigned alarm(unsigned seconds);
int pause(void);
int nice(int by);
void sync(void);
int lockf(int file, int command, off_t length);
int getpagesize(void);
int getdtablesize(void);
int daemon(int stays, int keeps);
int truncate(const char *path, off_t length);

#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3

#ifdef __cplusplus
}
#endif
#endif
