/* unwind.c: leaving calls from the inside, for longjmp and for C++ exceptions.
 *
 * The compiler lowers both to calls (-enable-emscripten-sjlj, -enable-emscripten-cxx-exceptions): what may be left is called through `invoke_…`, which an
 * engine answers. `tw__unwind` leaves all calls up to the innermost `invoke_…`, which puts the stack pointer back and returns; the code behind it looks at
 * `__THREW__`. The names without `tw` are the compiler's.
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((noreturn, import_module("twinrun"), import_name("unwind"))) void tw__unwind(void);
__attribute__((import_module("twinrun"), import_name("caught"))) int tw__caught(void);
__attribute__((import_module("twinrun"), import_name("thrown"))) void tw__thrown(void);
__attribute__((noreturn, import_module("twinrun"), import_name("uncaught"))) void tw__uncaught(const char *text, int length);
__attribute__((import_module("twinrun"), import_name("open_runs"))) int tw__open_runs(void);
__attribute__((import_module("twinrun"), import_name("run_end"))) void tw__run_end(void);

/* What leaving calls left behind on the stack is no variable any more (bounds.c, in checked builds). */
__attribute__((weak)) void tw__left(uintptr_t low, uintptr_t high) { (void)low, (void)high; }

/* Not 0 behind an `invoke_…` that was left: 1 for an exception, the buffer for a jump, which also has a value. Both are 0 again when what was thrown has arrived,
 * so that no static data differ after a run. */
uintptr_t __THREW__;
int __threwValue;

/* Numbers that must not count as changed static data are kept in globals of the module: the second result of a landing, and where the stack ended. */
__asm__(".globaltype tw_second, i32\n"
        "tw_second:\n"
        ".globaltype tw_low, i32\n"
        "tw_low:\n"
        ".globl setTempRet0\n"
        ".type setTempRet0,@function\n"
        "setTempRet0:\n"
        ".functype setTempRet0 (i32) -> ()\n"
        "local.get 0\n"
        "global.set tw_second\n"
        "end_function\n"
        ".globl getTempRet0\n"
        ".type getTempRet0,@function\n"
        "getTempRet0:\n"
        ".functype getTempRet0 () -> (i32)\n"
        "global.get tw_second\n"
        "end_function\n"
        ".globl tw__set_low\n"
        ".type tw__set_low,@function\n"
        "tw__set_low:\n"
        ".functype tw__set_low (i32) -> ()\n"
        "local.get 0\n"
        "global.set tw_low\n"
        "end_function\n"
        ".globl tw__get_low\n"
        ".type tw__get_low,@function\n"
        "tw__get_low:\n"
        ".functype tw__get_low () -> (i32)\n"
        "global.get tw_low\n"
        "end_function\n");
void tw__set_low(uintptr_t low);
uintptr_t tw__get_low(void);

/* Leaves all calls up to the innermost `invoke_…`. */
_Noreturn void tw_leave(uintptr_t what, int value) {
    tw__set_low((uintptr_t)__builtin_frame_address(0));
    __THREW__ = what;
    __threwValue = value;
    tw__unwind();
}

/* Called where a landing begins, in the frame of the function that goes on. */
void tw_landed(void) {
    /* Our own calls between it and here, which are at most so large, lie over what was left. */
    enum { OURS = 256 };
    tw__left(tw__get_low(), (uintptr_t)__builtin_frame_address(0) + OURS);
}

/* ---- setjmp and longjmp ---- */

void __wasm_setjmp(struct tw_jmp_buf *buffer, uint32_t label, void *call) {
    buffer->call = call;
    buffer->label = label;
    buffer->open_runs = tw__open_runs();
}

/* The label of the setjmp that a jump to `buffer` leads to, in this call of its function; 0 where it leads elsewhere. */
uint32_t __wasm_setjmp_test(struct tw_jmp_buf *buffer, void *call) {
    if (buffer->call != call || buffer->label == 0) return 0;
    tw_landed();
    __threwValue = 0;
    /* Runs that the jump has left are over. */
    for (int open = tw__open_runs(); open > buffer->open_runs; open--) tw__run_end();
    return buffer->label;
}

_Noreturn void emscripten_longjmp(uintptr_t buffer, int value) {
    static const char nowhere[] = "longjmp leads to a call that has ended";
    if (!tw__caught()) {
        tw__thrown();
        tw__uncaught(nowhere, sizeof nowhere - 1);
    }
    tw_leave(buffer, value ? value : 1);
}

/* For calls through a pointer: the compiler knows the name only in direct calls. */
_Noreturn void longjmp(jmp_buf buffer, int value) { emscripten_longjmp((uintptr_t)buffer, value); }

