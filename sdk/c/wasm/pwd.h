/* pwd.h for WebAssembly: there is one user, who is called user. */
#ifndef TWINRUN_PWD_H
#define TWINRUN_PWD_H

#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct passwd {
    char *pw_name, *pw_passwd;
    uid_t pw_uid;
    gid_t pw_gid;
    char *pw_gecos, *pw_dir, *pw_shell;
};
struct passwd *getpwuid(uid_t user);
struct passwd *getpwnam(const char *name);
int getpwuid_r(uid_t user, struct passwd *entry, char *buffer, size_t size, struct passwd **found);
int getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **found);
void setpwent(void);
void endpwent(void);
struct passwd *getpwent(void);

#ifdef __cplusplus
}
#endif
#endif
