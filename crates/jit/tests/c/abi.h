/* The imports as `twinrun_base::abi` lists them; enough for the engine's own tests. */
#include <stddef.h>
#include <stdint.h>
#define TW(name) __attribute__((import_module("twinrun"), import_name(#name)))
TW(int) int64_t tw_int(const char *, int, int kind, int64_t lo, int64_t hi);
TW(ints) void tw_ints(const char *, int, int kind, void *, int rows, int columns, int64_t lo, int64_t hi);
TW(float) double tw_float(const char *, int, double lo, double hi);
TW(floats) void tw_floats(const char *, int, double *, int rows, int columns, double lo, double hi);
TW(text) int tw_text(const char *, int, char *, int min, int max, const char *alphabet, int);
TW(permutation) void tw_permutation(const char *, int, int *, int n);
TW(ops) int tw_ops(const char *, int, void *, int max, const char *spec, int);
TW(run_begin) void tw_run_begin(void);
TW(run_end) void tw_run_end(void);
TW(assume) void tw_assume(int);
TW(check) void tw_check(int, const char *, int, int line);
TW(check_int) void tw_check_int(int op, int is_unsigned, int64_t, int64_t, const char *, int, int line);
TW(check_float) void tw_check_float(int op, double, double, double, const char *, int, int line);
TW(check_bytes) void tw_check_bytes(const void *, int, const void *, int, const char *, int, int line);
TW(given_ints) void tw_given_ints(const char *, int, int kind, const void *, int count);
TW(output_int) void tw_output_int(const char *, int, int64_t);
TW(program_file) void tw_program_file(const char *, int, const void *, int);
TW(program) int tw_program(const char *, int, const void *arguments, int count, const void *in, int);
TW(program_output) int tw_program_output(int stream, int offset, void *out, int capacity);
TW(program_written) int tw_program_written(const char *, int, void *out, int capacity);
TW(heap_alloc) void tw_heap_alloc(const void *, int);
TW(heap_free) void tw_heap_free(const void *, int);
TW(heap_error) void tw_heap_error(int kind, const void *, int);
#define N(name) name, (int)sizeof(name) - 1
#define RELATION(name) __attribute__((export_name("relation:" #name))) void relation_##name(void)
#define RUN(e) ({ tw_run_begin(); __typeof__(e) result_ = (e); tw_run_end(); result_; })
#define RUN_VOID(e) do { tw_run_begin(); e; tw_run_end(); } while (0)
#define CHECK_EQ(a, b) tw_check_int(1, 0, (a), (b), N(#a " == " #b), __LINE__)
