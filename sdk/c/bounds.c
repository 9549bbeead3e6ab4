/* bounds.c: which bytes of the stack and of static data belong to a variable. Linked into checked builds.
 *
 * The compiler leaves room around variables (-fsanitize=kernel-address), says which bytes are room, and calls a function of this file before it reads or writes through a
 * pointer. One byte of the map stands for eight bytes of memory: 0 all of them may be used, 1 to 7 the first so many, negative none. The heap has red zones of its own
 * (plain_libc.c). The names of the functions are the compiler's.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { GRANULE = 8, ROOM = -1 };

/* Where the compiler believes the map to be. */
static const uintptr_t MAP = 1u << 29;

extern unsigned char __heap_base;

static signed char *map;
static uintptr_t limit; /* what lies below is in the map */

_Noreturn void __ubsan_handle_outside_of_variable_abort(const void *none, uintptr_t at, size_t n);
_Noreturn void __ubsan_handle_overlapping_copy_abort(const void *none, uintptr_t at, size_t n);

__attribute__((constructor)) static void prepare(void) {
    if (map) return;
    uintptr_t base = (uintptr_t)&__heap_base;
    signed char *block = calloc(base / GRANULE + 1, 1);
    if (!block) return;
    map = block;
    limit = base;
}

/* Before the map is there, nothing is remembered. */
static void set(uintptr_t at, signed char value, size_t n) {
    for (size_t i = 0; i < n && at + i < limit / GRANULE; i++) map[at + i] = value;
}

static int is_outside(uintptr_t at) {
    int usable = map[at / GRANULE];
    return (usable != 0) & ((int)(at % GRANULE) >= usable);
}

/* At most eight bytes, so that no room fits between the first and the last. */
static void __asan_check(uintptr_t at, size_t n) {
    uintptr_t last = at + n - 1;
    if (last >= limit) return;
    if (is_outside(last) | is_outside(at)) __ubsan_handle_outside_of_variable_abort(NULL, at, n);
}

void __asan_check_range(const void *from, size_t n) {
    uintptr_t at = (uintptr_t)from;
    if (n == 0 || at >= limit) return;
    for (size_t i = 0; i < n; i += GRANULE) __asan_check(at + i, n - i < GRANULE ? n - i : GRANULE);
}

/* What memcpy may not be given. Copying a block to itself is what compilers do. */
void __asan_check_apart(const void *to, const void *from, size_t n) {
    uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
    if (n && t != f && (t < f ? f - t : t - f) < n) __ubsan_handle_overlapping_copy_abort(NULL, t, n);
}

/* ---- What the compiler calls ---- */

#define ACCESS(n)                                       \
    void __asan_load##n(uintptr_t at) { __asan_check(at, n); } \
    void __asan_store##n(uintptr_t at) { __asan_check(at, n); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)

void __asan_loadN(uintptr_t at, size_t n) { __asan_check_range((const void *)at, n); }
void __asan_storeN(uintptr_t at, size_t n) { __asan_check_range((const void *)at, n); }
void __asan_load16(uintptr_t at) { __asan_check_range((const void *)at, 16); }
void __asan_store16(uintptr_t at) { __asan_check_range((const void *)at, 16); }

#define SET(name, value) \
    void __asan_set_shadow_##name(uintptr_t at, size_t n) { set(at - MAP, value, n); }
SET(00, 0)
SET(01, 1)
SET(02, 2)
SET(03, 3)
SET(04, 4)
SET(05, 5)
SET(06, 6)
SET(07, 7)
SET(f1, ROOM)
SET(f2, ROOM)
SET(f3, ROOM)
SET(f5, ROOM)
SET(f8, ROOM)

/* The first `size` bytes of an object that is followed by room. */
static void mark(uintptr_t at, size_t size, size_t with_room) {
    set(at / GRANULE, 0, size / GRANULE);
    set(at / GRANULE + size / GRANULE, ROOM, (with_room - size / GRANULE * GRANULE) / GRANULE);
    if (size % GRANULE) set(at / GRANULE + size / GRANULE, (signed char)(size % GRANULE), 1);
}

struct variable {
    uintptr_t at, size, with_room, name, module, has_constructor, location, odr;
};

void __asan_register_globals(const struct variable *variables, size_t n) {
    prepare();
    for (size_t i = 0; i < n; i++) mark(variables[i].at, variables[i].size, variables[i].with_room);
}
void __asan_unregister_globals(const struct variable *variables, size_t n) { (void)variables, (void)n; }

void __asan_poison_stack_memory(uintptr_t at, size_t n) { set(at / GRANULE, ROOM, (n + GRANULE - 1) / GRANULE); }
void __asan_unpoison_stack_memory(uintptr_t at, size_t n) { mark(at, n, (n + GRANULE - 1) / GRANULE * GRANULE); }

/* Arrays whose size is known at run time only: 32 bytes of room before and behind. */
void __asan_alloca_poison(uintptr_t at, size_t size) {
    size_t padded = (size + 31) / 32 * 32;
    set(at / GRANULE - 4, ROOM, 4);
    mark(at, size, padded + 32);
}
void __asan_allocas_unpoison(uintptr_t top, uintptr_t bottom) {
    if (top && top < bottom) set(top / GRANULE, 0, (bottom - top) / GRANULE);
}

void __asan_handle_no_return(void) {}
/* What an exception or a jump has left (unwind.c): the calls that ended there did not say so themselves. */
void tw__left(uintptr_t low, uintptr_t high) { set(low / GRANULE, 0, (high - low) / GRANULE); }
void __asan_before_dynamic_init(uintptr_t module) { (void)module; }
void __asan_after_dynamic_init(void) {}

/* What libc++'s containers say of the unused end of their blocks. Not kept: the block is on the heap, whose red zones are its own. */
void __sanitizer_annotate_contiguous_container(const void *from, const void *to, const void *old, const void *now) {
    (void)from, (void)to, (void)old, (void)now;
}
void __sanitizer_annotate_double_ended_contiguous_container(const void *from, const void *to, const void *old_first,
                                                            const void *old_last, const void *first, const void *last) {
    (void)from, (void)to, (void)old_first, (void)old_last, (void)first, (void)last;
}
