/* grp.h for WebAssembly: there is one group, which is called user. */
#ifndef TWINRUN_GRP_H
#define TWINRUN_GRP_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct group {
    char *gr_name, *gr_passwd;
    gid_t gr_gid;
    char **gr_mem;
};
struct group *getgrgid(gid_t group);
struct group *getgrnam(const char *name);
int getgrgid_r(gid_t group, struct group *entry, char *buffer, size_t size, struct group **found);
int getgrnam_r(const char *name, struct group *entry, char *buffer, size_t size, struct group **found);
void setgrent(void);
void endgrent(void);
struct group *getgrent(void);
int initgroups(const char *user, gid_t group);
int setgroups(size_t count, const gid_t *groups);

#ifdef __cplusplus
}
#endif
#endif
