/* twinrun.h: write a metamorphic relation once, in C or C++.
 *
 *     #include <twinrun.h>
 *
 *     RELATION(reverse) {
 *         int a[6], b[6];
 *         int n = tw_len("n", 1, 6);
 *         tw_i32s("a", a, n, -1000, 1000);
 *         for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];    // the transformation
 *         int source    = RUN(maxsub(a, n));
 *         int follow_up = RUN(maxsub(b, n));
 *         CHECK_EQ(source, follow_up);                        // the property
 *     }
 *
 * Compiled to WebAssembly, the primitives are imports of the module `twinrun`; compiled natively, `native.c` answers them from a
 * saved case. `long` and pointers have 32 bits in WebAssembly.
 */
#ifndef TWINRUN_H
#define TWINRUN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#define TW__C extern "C"
#define TW__BEGIN_C extern "C" {
#define TW__END_C }
#else
#define TW__C extern
#define TW__BEGIN_C
#define TW__END_C
#endif

#ifdef __wasm__
/* The host ends a group from outside, which no C++ frame sees: calls of it need no landing. */
#define TW__IMPORT(name) __attribute__((import_module("twinrun"), import_name(#name), nothrow))
#else
#define TW__IMPORT(name)
#endif
/* Helpers leave no call behind, so that a relation costs little beside its runs. */
#define TW__HELPER __attribute__((unused, always_inline)) static inline

/* ---- What the host answers (the table in the developers' documentation, crate `base`, module `abi`). ---- */
TW__BEGIN_C
int64_t tw__int(const char *name, int length, int kind, int64_t lo, int64_t hi) TW__IMPORT(int);
double tw__float(const char *name, int length, double lo, double hi) TW__IMPORT(float);
void tw__ints(const char *name, int length, int kind, void *out, int rows, int columns, int64_t lo, int64_t hi) TW__IMPORT(ints);
void tw__floats(const char *name, int length, double *out, int rows, int columns, double lo, double hi) TW__IMPORT(floats);
int tw__text(const char *name, int length, void *out, int min, int max, const char *alphabet, int alphabet_length) TW__IMPORT(text);
void tw__permutation(const char *name, int length, int32_t *out, int n) TW__IMPORT(permutation);
int tw__ops(const char *name, int length, void *out, int max, const char *spec, int spec_length) TW__IMPORT(ops);
void tw__run_begin(void) TW__IMPORT(run_begin);
void tw__run_end(void) TW__IMPORT(run_end);
void tw__assume(int condition) TW__IMPORT(assume);
void tw__check(int condition, const char *text, int length, int line) TW__IMPORT(check);
void tw__check_int(int op, int is_unsigned, int64_t left, int64_t right, const char *text, int length, int line) TW__IMPORT(check_int);
void tw__check_float(int op, double left, double right, double tolerance, const char *text, int length, int line) TW__IMPORT(check_float);
void tw__check_bytes(const void *left, int left_length, const void *right, int right_length, const char *text, int length, int line)
    TW__IMPORT(check_bytes);
void tw__given_int(const char *name, int length, int64_t value) TW__IMPORT(given_int);
void tw__given_float(const char *name, int length, double value) TW__IMPORT(given_float);
void tw__given_ints(const char *name, int length, int kind, const void *values, int count) TW__IMPORT(given_ints);
void tw__given_floats(const char *name, int length, const double *values, int count) TW__IMPORT(given_floats);
void tw__given_bytes(const char *name, int length, const void *bytes, int count) TW__IMPORT(given_bytes);
void tw__output_int(const char *name, int length, int64_t value) TW__IMPORT(output_int);
void tw__output_float(const char *name, int length, double value) TW__IMPORT(output_float);
void tw__output_ints(const char *name, int length, int kind, const void *values, int count) TW__IMPORT(output_ints);
void tw__output_floats(const char *name, int length, const double *values, int count) TW__IMPORT(output_floats);
void tw__output_bytes(const char *name, int length, const void *bytes, int count) TW__IMPORT(output_bytes);
void tw__program_file(const char *path, int length, const void *data, int data_length) TW__IMPORT(program_file);
int tw__program(const char *name, int length, const void *arguments, int count, const void *in, int in_length) TW__IMPORT(program);
int tw__program_output(int stream, int offset, void *out, int capacity) TW__IMPORT(program_output);
int tw__program_written(const char *path, int length, void *out, int capacity) TW__IMPORT(program_written);
#ifndef __wasm__
void tw__register(const char *name, void (*relation)(void));
#endif
TW__END_C

/* A name with its length: a constant for a literal, also in unoptimised code. */
#define TW__NAME(text) (text), (int)__builtin_strlen(text)

/* ---- A relation ---- */
#ifdef __wasm__
#define RELATION(name)                                                                                        \
    TW__C __attribute__((export_name("relation:" #name))) void tw_relation_##name(void);                      \
    TW__C void tw_relation_##name(void)
#else
#define RELATION(name)                                                                                        \
    TW__C void tw_relation_##name(void);                                                                      \
    __attribute__((constructor)) static void tw__enter_##name(void) { tw__register(#name, tw_relation_##name); } \
    TW__C void tw_relation_##name(void)
#endif
#ifdef __cplusplus
#undef RELATION
#ifdef __wasm__
#define RELATION(name)                                                                                        \
    extern "C" __attribute__((export_name("relation:" #name))) void tw_relation_##name(void);                 \
    void tw_relation_##name(void)
#else
#define RELATION(name)                                                                                        \
    extern "C" void tw_relation_##name(void);                                                                 \
    __attribute__((constructor)) static void tw__enter_##name(void) { tw__register(#name, tw_relation_##name); } \
    void tw_relation_##name(void)
#endif
#endif

/* ---- Inputs: each has a name and a range, both ends included. ---- */

/* Codes of the representations. */
enum { TW_I32 = 0, TW_I64 = 1, TW_U32 = 2, TW_BOOL = 3, TW_CHOICE = 4, TW_LENGTH = 5, TW_U8 = 6, TW_I16 = 7 };

TW__HELPER int32_t tw_i32_of(const char *name, int length, int32_t lo, int32_t hi) { return (int32_t)tw__int(name, length, TW_I32, lo, hi); }
#define tw_i32(name, ...) tw_i32_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER int64_t tw_i64_of(const char *name, int length, int64_t lo, int64_t hi) { return tw__int(name, length, TW_I64, lo, hi); }
#define tw_i64(name, ...) tw_i64_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER uint32_t tw_u32_of(const char *name, int length, uint32_t lo, uint32_t hi) { return (uint32_t)tw__int(name, length, TW_U32, lo, hi); }
#define tw_u32(name, ...) tw_u32_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER uint8_t tw_u8_of(const char *name, int length, uint8_t lo, uint8_t hi) { return (uint8_t)tw__int(name, length, TW_U8, lo, hi); }
#define tw_u8(name, ...) tw_u8_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER bool tw_bool_of(const char *name, int length) { return (bool)tw__int(name, length, TW_BOOL, 0, 1); }
#define tw_bool(name) tw_bool_of(TW__NAME(name))
TW__HELPER double tw_f64_of(const char *name, int length, double lo, double hi) { return tw__float(name, length, lo, hi); }
#define tw_f64(name, ...) tw_f64_of(TW__NAME(name), __VA_ARGS__)
/* One of `count` alternatives: 0 … count-1. */
TW__HELPER int tw_choice_of(const char *name, int length, int count) { return (int)tw__int(name, length, TW_CHOICE, 0, count - 1); }
#define tw_choice(name, ...) tw_choice_of(TW__NAME(name), __VA_ARGS__)
/* A length: it shrinks first, and the arrays drawn after it follow. */
TW__HELPER int tw_len_of(const char *name, int length, int lo, int hi) { return (int)tw__int(name, length, TW_LENGTH, lo, hi); }
#define tw_len(name, ...) tw_len_of(TW__NAME(name), __VA_ARGS__)

TW__HELPER void tw_i32s_of(const char *name, int length, int32_t *out, int n, int32_t lo, int32_t hi) { tw__ints(name, length, TW_I32, out, -1, n, lo, hi); }
#define tw_i32s(name, ...) tw_i32s_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER void tw_i64s_of(const char *name, int length, int64_t *out, int n, int64_t lo, int64_t hi) { tw__ints(name, length, TW_I64, out, -1, n, lo, hi); }
#define tw_i64s(name, ...) tw_i64s_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER void tw_u32s_of(const char *name, int length, uint32_t *out, int n, uint32_t lo, uint32_t hi) { tw__ints(name, length, TW_U32, out, -1, n, lo, hi); }
#define tw_u32s(name, ...) tw_u32s_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER void tw_i16s_of(const char *name, int length, int16_t *out, int n, int16_t lo, int16_t hi) { tw__ints(name, length, TW_I16, out, -1, n, lo, hi); }
#define tw_i16s(name, ...) tw_i16s_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER void tw_f64s_of(const char *name, int length, double *out, int n, double lo, double hi) { tw__floats(name, length, out, -1, n, lo, hi); }
#define tw_f64s(name, ...) tw_f64s_of(TW__NAME(name), __VA_ARGS__)
/* Exactly n bytes of any value. */
TW__HELPER void tw_bytes_of(const char *name, int length, void *out, int n) { tw__ints(name, length, TW_U8, out, -1, n, 0, 255); }
#define tw_bytes(name, ...) tw_bytes_of(TW__NAME(name), __VA_ARGS__)

/* A matrix in `int m[…][stride]`; pass &m[0][0]. */
TW__HELPER void tw_i32_matrix_of(const char *name, int length, int32_t *out, int stride, int rows, int columns, int32_t lo, int32_t hi) {
    tw__ints(name, length, TW_I32, out, rows, columns, lo, hi);
    if (stride == columns) return;
    for (int row = rows - 1; row > 0; row--)
        for (int column = columns - 1; column >= 0; column--) out[row * stride + column] = out[row * columns + column];
}
#define tw_i32_matrix(name, ...) tw_i32_matrix_of(TW__NAME(name), __VA_ARGS__)
TW__HELPER void tw_f64_matrix_of(const char *name, int length, double *out, int stride, int rows, int columns, double lo, double hi) {
    tw__floats(name, length, out, rows, columns, lo, hi);
    if (stride == columns) return;
    for (int row = rows - 1; row > 0; row--)
        for (int column = columns - 1; column >= 0; column--) out[row * stride + column] = out[row * columns + column];
}
#define tw_f64_matrix(name, ...) tw_f64_matrix_of(TW__NAME(name), __VA_ARGS__)

/* Text of min … max characters of the alphabet, ended by a zero byte: `out` holds max + 1 bytes. Returns its length. */
TW__HELPER int tw_text_of(const char *name, int length, char *out, int min, int max, const char *alphabet, int letters) {
    int drawn = tw__text(name, length, out, min, max, alphabet, letters);
    out[drawn] = 0;
    return drawn;
}
#define tw_text_between(name, out, min, max, alphabet) tw_text_of(TW__NAME(name), (out), (min), (max), TW__NAME(alphabet))
#define tw_text(name, out, max, alphabet) tw_text_between(name, out, 0, max, alphabet)

/* A permutation of 0 … n-1. */
TW__HELPER void tw_permutation_of(const char *name, int length, int32_t *out, int n) { tw__permutation(name, length, out, n); }
#define tw_permutation(name, ...) tw_permutation_of(TW__NAME(name), __VA_ARGS__)

/* A sequence of operations for a stateful subject. The specification lists them: "push 0..99; pop; move 0..3 0..3";
 * `op` counts them from 0. Returns how many were drawn. */
typedef struct {
    int32_t op;
    int32_t arg[3];
} tw_op;
TW__HELPER int tw_ops_of(const char *name, int length, tw_op *out, int max, const char *spec, int spec_length) {
    return tw__ops(name, length, out, max, spec, spec_length);
}
#define tw_ops(name, out, max, spec) tw_ops_of(TW__NAME(name), (out), (max), TW__NAME(spec))

/* ---- Runs ---- */

/* RUN(call) marks one run of the subject; it has the value of the call (none for void). */
#ifdef __cplusplus
namespace twinrun {
struct Run {
    Run() { tw__run_begin(); }
    ~Run() { tw__run_end(); }
};
} // namespace twinrun
#define RUN(...) ([&]() -> decltype(auto) { ::twinrun::Run tw__run; return (__VA_ARGS__); }())
#else
TW__HELPER int tw__run_open(void) {
    tw__run_begin();
    return 0;
}
TW__HELPER void tw__run_close(int *run) {
    (void)run;
    tw__run_end();
}
#define RUN(...)                                                                                              \
    (__extension__({                                                                                          \
        int tw__run __attribute__((cleanup(tw__run_close))) = tw__run_open();                                 \
        (void)tw__run;                                                                                        \
        __VA_ARGS__;                                                                                          \
    }))
#endif

/* Whole programs. An argument is (pointer, length); TW_STR makes one from a C string. */
typedef struct {
    const void *data;
    int32_t length;
} tw_arg;
#ifdef __cplusplus
TW__HELPER tw_arg TW_STR(const char *text) { return tw_arg{text, (int32_t)__builtin_strlen(text)}; }
#else
#define TW_STR(text) ((tw_arg){(text), (int32_t)__builtin_strlen(text)})
#endif
/* Runs the subject's program in a fresh instance and gives its exit code; its standard output, cut at capacity - 1 bytes and ended by
 * a zero byte, goes to `out`. */
TW__HELPER int tw_run_program(const tw_arg *arguments, int count, const void *in, int in_length, char *out, int capacity) {
    int exit_code = tw__program("", 0, arguments, count, in, in_length);
    int total = tw__program_output(1, 0, out, capacity - 1);
    out[total < capacity ? total : capacity - 1] = 0;
    return exit_code;
}
/* More of the last program run: stream 1 is standard output, 2 standard error. Returns the whole length. */
TW__HELPER int tw_program_output(int stream, int offset, void *out, int capacity) { return tw__program_output(stream, offset, out, capacity); }
/* A file that the next program run finds; a file that the last one wrote (its length, or -1). */
TW__HELPER void tw_program_file(const char *path, const void *data, int length) { tw__program_file(TW__NAME(path), data, length); }
TW__HELPER int tw_program_written(const char *path, void *out, int capacity) { return tw__program_written(TW__NAME(path), out, capacity); }

/* Which inputs the next run gets, under the names of the relation's inputs: for reports, and for covering arrays. */
#define GIVEN(name, value) TW__SCALAR(given, name, value)
#define GIVEN_I32S(name, values, n) tw__given_ints(TW__NAME(name), TW_I32, (values), (n))
#define GIVEN_F64S(name, values, n) tw__given_floats(TW__NAME(name), (values), (n))
#define GIVEN_BYTES(name, bytes, n) tw__given_bytes(TW__NAME(name), (bytes), (n))
#define GIVEN_TEXT(name, text) GIVEN_BYTES(name, text, (int)__builtin_strlen(text))

/* Labelled outputs of the run that is open or ended last, for reports. */
#define OUTPUT(name, value) TW__SCALAR(output, name, value)
#define OUTPUT_I32S(name, values, n) tw__output_ints(TW__NAME(name), TW_I32, (values), (n))
#define OUTPUT_F64S(name, values, n) tw__output_floats(TW__NAME(name), (values), (n))
#define OUTPUT_BYTES(name, bytes, n) tw__output_bytes(TW__NAME(name), (bytes), (n))
#define OUTPUT_TEXT(name, text) OUTPUT_BYTES(name, text, (int)__builtin_strlen(text))

/* ---- Assumptions and checks ---- */
#define ASSUME(condition) tw__assume((condition) ? 1 : 0)
#define CHECK(condition) tw__check((condition) ? 1 : 0, TW__NAME(#condition), __LINE__)
#define CHECK_EQ(left, right) TW__COMPARE(1, left, right, #left " == " #right)
#define CHECK_NE(left, right) TW__COMPARE(2, left, right, #left " != " #right)
#define CHECK_LE(left, right) TW__COMPARE(3, left, right, #left " <= " #right)
#define CHECK_LT(left, right) TW__COMPARE(4, left, right, #left " < " #right)
#define CHECK_GE(left, right) TW__COMPARE(6, left, right, #left " >= " #right)
#define CHECK_GT(left, right) TW__COMPARE(7, left, right, #left " > " #right)
/* |left - right| <= tolerance; a NaN is near nothing. */
#define CHECK_NEAR(left, right, tolerance) \
    tw__check_float(5, (left), (right), (tolerance), TW__NAME(#left " ≈ " #right " ± " #tolerance), __LINE__)
#define CHECK_BYTES(left, left_length, right, right_length) \
    tw__check_bytes((left), (left_length), (right), (right_length), TW__NAME(#left " == " #right), __LINE__)
/* Two strings that end with a zero byte. */
#define CHECK_TEXT(left, right) CHECK_BYTES(left, (int)__builtin_strlen(left), right, (int)__builtin_strlen(right))
/* n equal 32-bit integers. */
#define CHECK_I32S(left, right, n) CHECK_BYTES(left, (int)((n) * 4), right, (int)((n) * 4))

#ifdef __cplusplus
#include <string>
#include <type_traits>
#include <utility>
namespace twinrun {
template <class L, class R> constexpr auto ordered(int) -> decltype((void)(std::declval<L>() < std::declval<R>()), true) { return true; }
template <class L, class R> constexpr bool ordered(long) { return false; }
template <class L, class R> void compare(int op, const L &left, const R &right, const char *text, int length, int line) {
    using Left = std::decay_t<L>;
    using Right = std::decay_t<R>;
    constexpr bool numbers = (std::is_arithmetic_v<Left> || std::is_enum_v<Left>) && (std::is_arithmetic_v<Right> || std::is_enum_v<Right>);
    if constexpr (numbers && (std::is_floating_point_v<Left> || std::is_floating_point_v<Right>)) {
        tw__check_float(op, (double)left, (double)right, 0, text, length, line);
    } else if constexpr (numbers) {
        constexpr bool wide = (std::is_unsigned_v<Left> && sizeof(Left) == 8) || (std::is_unsigned_v<Right> && sizeof(Right) == 8);
        tw__check_int(op, wide, (int64_t)left, (int64_t)right, text, length, line);
    } else if constexpr (std::is_same_v<Left, std::string> && std::is_same_v<Right, std::string>) {
        if (op == 1) tw__check_bytes(left.data(), (int)left.size(), right.data(), (int)right.size(), text, length, line);
        else tw__check(op == 2 ? left != right : op == 3 ? left <= right : op == 4 ? left < right : op == 6 ? left >= right : left > right, text, length, line);
    } else if constexpr (ordered<L, R>(0)) {
        tw__check(op == 1 ? left == right : op == 2 ? !(left == right) : op == 3 ? left <= right : op == 4 ? left < right : op == 6 ? left >= right : left > right, text, length, line);
    } else {
        tw__check(op == 2 ? !(left == right) : left == right, text, length, line);
    }
}
} // namespace twinrun
#define TW__COMPARE(op, left, right, text) ::twinrun::compare(op, (left), (right), TW__NAME(text), __LINE__)
TW__HELPER void tw__scalar_given(const char *name, double value) { tw__given_float(TW__NAME(name), value); }
TW__HELPER void tw__scalar_given(const char *name, float value) { tw__given_float(TW__NAME(name), value); }
template <class T> void tw__scalar_given(const char *name, T value) { tw__given_int(TW__NAME(name), (int64_t)value); }
TW__HELPER void tw__scalar_output(const char *name, double value) { tw__output_float(TW__NAME(name), value); }
TW__HELPER void tw__scalar_output(const char *name, float value) { tw__output_float(TW__NAME(name), value); }
template <class T> void tw__scalar_output(const char *name, T value) { tw__output_int(TW__NAME(name), (int64_t)value); }
#define TW__SCALAR(what, name, value) tw__scalar_##what(name, value)
#else
TW__HELPER void tw__compare_int(int op, int64_t left, int64_t right, const char *text, int length, int line) {
    tw__check_int(op, 0, left, right, text, length, line);
}
TW__HELPER void tw__compare_unsigned(int op, uint64_t left, uint64_t right, const char *text, int length, int line) {
    tw__check_int(op, 1, (int64_t)left, (int64_t)right, text, length, line);
}
TW__HELPER void tw__compare_float(int op, double left, double right, const char *text, int length, int line) {
    tw__check_float(op, left, right, 0, text, length, line);
}
/* `1 ? l : r` has the common type of both sides, for pointers too (compare those with CHECK). */
#define TW__COMPARE(op, left, right, text)                                                                    \
    _Generic((1 ? (left) : (right)),                                                                          \
        float: tw__compare_float,                                                                             \
        double: tw__compare_float,                                                                            \
        unsigned long long: tw__compare_unsigned,                                                             \
        unsigned long: tw__compare_unsigned,                                                                  \
        default: tw__compare_int)(op, (left), (right), TW__NAME(text), __LINE__)
#define TW__SCALAR(what, name, value)                                                                         \
    _Generic((value), float: tw__##what##_float, double: tw__##what##_float, default: tw__##what##_int)(TW__NAME(name), (value))
#endif

/* ---- The usual transformations, in place unless a destination is given; n is the number of elements. ---- */
#define TW_COPY(to, from, n) \
    do { for (int tw__i = 0; tw__i < (n); tw__i++) (to)[tw__i] = (from)[tw__i]; } while (0)
#define TW_ADD(a, n, constant) \
    do { for (int tw__i = 0; tw__i < (n); tw__i++) (a)[tw__i] += (constant); } while (0)
#define TW_INCREMENT(a, index) ((void)((a)[index]++))
#define TW_MULTIPLY(a, n, factor) \
    do { for (int tw__i = 0; tw__i < (n); tw__i++) (a)[tw__i] *= (factor); } while (0)
#define TW_SWAP(a, i, j) \
    do { __typeof__((a)[0] + 0) tw__t = (a)[i]; (a)[i] = (a)[j]; (a)[j] = tw__t; } while (0)
#define TW_REVERSE(a, n) \
    do { for (int tw__l = 0, tw__h = (n) - 1; tw__l < tw__h; tw__l++, tw__h--) TW_SWAP(a, tw__l, tw__h); } while (0)
/* to[i] = from[permutation[i]] */
#define TW_PERMUTE(to, from, permutation, n) \
    do { for (int tw__i = 0; tw__i < (n); tw__i++) (to)[tw__i] = (from)[(permutation)[tw__i]]; } while (0)
/* One more element at `index`; the array has room for n + 1. */
#define TW_INCLUDE(a, n, index, value) \
    do { for (int tw__i = (n); tw__i > (index); tw__i--) (a)[tw__i] = (a)[tw__i - 1]; (a)[index] = (value); } while (0)
/* One element fewer. */
#define TW_EXCLUDE(a, n, index) \
    do { for (int tw__i = (index); tw__i + 1 < (n); tw__i++) (a)[tw__i] = (a)[tw__i + 1]; } while (0)
/* Matrices are arrays of arrays: m[row][column]. */
#define TW_TRANSPOSE(to, from, rows, columns)                                                                 \
    do {                                                                                                      \
        for (int tw__i = 0; tw__i < (rows); tw__i++)                                                          \
            for (int tw__j = 0; tw__j < (columns); tw__j++) (to)[tw__j][tw__i] = (from)[tw__i][tw__j];        \
    } while (0)
/* One more row (column) at the end, every cell `value`; the matrix has room for it. */
#define TW_ADD_ROW(m, rows, columns, value) \
    do { for (int tw__j = 0; tw__j < (columns); tw__j++) (m)[rows][tw__j] = (value); } while (0)
#define TW_ADD_COLUMN(m, rows, columns, value) \
    do { for (int tw__i = 0; tw__i < (rows); tw__i++) (m)[tw__i][columns] = (value); } while (0)

#endif
