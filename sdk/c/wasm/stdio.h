/* stdio.h for WebAssembly: the C library's, and what it leaves out. */
#include_next <stdio.h>
#ifndef TWINRUN_STDIO_H
#define TWINRUN_STDIO_H

#ifdef __cplusplus
extern "C" {
#endif

FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
FILE *tmpfile(void);
char *tmpnam(char *name);
char *tempnam(const char *folder, const char *prefix);
#ifndef L_tmpnam
#define L_tmpnam 20
#endif
#ifndef TMP_MAX
#define TMP_MAX 10000
#endif
#ifndef P_tmpdir
#define P_tmpdir "/tmp"
#endif

#ifdef __cplusplus
}
#endif
#endif
