/* sys/mman.h for WebAssembly: anonymous memory is a block of the heap, a mapped file a private copy of its bytes; protection is not kept (system.c). */
#ifndef TWINRUN_SYS_MMAN_H
#define TWINRUN_SYS_MMAN_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANON 0x20
#define MAP_ANONYMOUS MAP_ANON
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_STACK 0x20000
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_FREE 8
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4
#define MREMAP_MAYMOVE 1
#define MCL_CURRENT 1
#define MCL_FUTURE 2

void *mmap(void *wanted, size_t length, int protection, int flags, int file, off_t offset);
int munmap(void *at, size_t length);
int mprotect(void *at, size_t length, int protection);
int msync(void *at, size_t length, int flags);
int madvise(void *at, size_t length, int advice);
int posix_madvise(void *at, size_t length, int advice);
int mlock(const void *at, size_t length);
int munlock(const void *at, size_t length);
int mlockall(int flags);
int munlockall(void);
void *mremap(void *at, size_t length, size_t wanted, int flags, ...);
int shm_open(const char *name, int flags, mode_t mode);
int shm_unlink(const char *name);

#ifdef __cplusplus
}
#endif
#endif
