/* setjmp.h for WebAssembly, which cannot jump out of a call: setjmp always returns 0, and a run that calls longjmp ends as crashed
 * (unsupported). So a program that uses longjmp for errors can still be tested on what does not fail. */
#ifndef TWINRUN_SETJMP_H
#define TWINRUN_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef int jmp_buf[1];
typedef int sigjmp_buf[1];

#define setjmp(buffer) ((void)(buffer), 0)
#define _setjmp(buffer) setjmp(buffer)
#define sigsetjmp(buffer, mask) ((void)(mask), setjmp(buffer))

__attribute__((noreturn, import_module("env"), import_name("longjmp"))) void longjmp(jmp_buf buffer, int value);
#define _longjmp(buffer, value) longjmp(buffer, value)
#define siglongjmp(buffer, value) longjmp(buffer, value)

#ifdef __cplusplus
}
#endif

#endif
