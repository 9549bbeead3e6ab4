/* cxx_runtime.c: what compiled C++ needs and WebAssembly here does not have. A thrown exception ends the run: the host says so. */
#include <stddef.h>
#include <stdlib.h>

__attribute__((noreturn, import_module("env"), import_name("__cxa_throw"))) void tw__thrown(void *exception, void *type, void *destructor);
__attribute__((noreturn, import_module("env"), import_name("__cxa_rethrow"))) void tw__rethrown(void);

/* Weak: a toolchain whose library has them keeps its own, except for the throw itself. */
__attribute__((weak)) void *__cxa_allocate_exception(size_t size) { return malloc(size + 128); }
__attribute__((weak)) void __cxa_free_exception(void *exception) { (void)exception; }
__attribute__((weak)) void *__cxa_begin_catch(void *exception) { return exception; }
__attribute__((weak)) void __cxa_end_catch(void) {}
__attribute__((weak)) void *__cxa_get_exception_ptr(void *exception) { return exception; }

__attribute__((noreturn)) void __cxa_throw(void *exception, void *type, void *destructor) { tw__thrown(exception, type, destructor); }
__attribute__((noreturn)) void __cxa_rethrow(void) { tw__rethrown(); }
