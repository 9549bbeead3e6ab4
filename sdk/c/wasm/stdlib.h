/* stdlib.h for WebAssembly: the C library's, and what it leaves out. */
#include_next <stdlib.h>
#ifndef TWINRUN_STDLIB_H
#define TWINRUN_STDLIB_H

#ifdef __cplusplus
extern "C" {
#endif

int system(const char *command);
int mkstemp(char *pattern);
char *mktemp(char *pattern);
char *mkdtemp(char *pattern);
int getloadavg(double *loads, int count);

#ifdef __cplusplus
}
#endif
#endif
