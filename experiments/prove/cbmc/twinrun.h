/* The part of Twinrun's header that the programs use, for CBMC. */
#include <stdint.h>

int nondet_int(void);
double nondet_double(void);

static int tw_i32(const char *name, int lo, int hi) {
    int value = nondet_int();
    __CPROVER_assume(value >= lo && value <= hi);
    return value;
}
static void tw_i32s(const char *name, int *out, int n, int lo, int hi) {
    for (int i = 0; i < n; i++) out[i] = tw_i32(name, lo, hi);
}
static void tw_f64s(const char *name, double *out, int n, double lo, double hi) {
    for (int i = 0; i < n; i++) {
        out[i] = nondet_double();
        __CPROVER_assume(out[i] >= lo && out[i] <= hi);
    }
}

#define RELATION(name) void name(void)
#define RUN(call) (call)
#define ASSUME(condition) __CPROVER_assume(condition)
#define CHECK(condition) __CPROVER_assert(condition, #condition)
#define CHECK_EQ(left, right) __CPROVER_assert((left) == (right), "equal")
#define CHECK_NEAR(left, right, tolerance) \
    __CPROVER_assert((left) - (right) <= (tolerance) && (right) - (left) <= (tolerance), "near")
