/* plain_libc.c: plain versions of string.h, number parsing, sorting, and a checking allocator.
 *
 * The C library of a toolchain is optimised and opaque: word tricks in strlen hide the branch on each byte, and its allocator
 * forgives. These versions do one thing at a time, so that symbols stay readable and every comparison is a branch. They are
 * linked first and win over the toolchain's. Compiled with -fno-builtin.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In checked builds whole ranges are checked once (bounds.c). */
#if __has_feature(address_sanitizer)
void __asan_check_range(const void *from, size_t n);
void __asan_check_apart(const void *to, const void *from, size_t n);
#define WHOLE __attribute__((no_sanitize("kernel-address")))
#else
#define __asan_check_range(from, n) ((void)0)
#define __asan_check_apart(to, from, n) ((void)0)
#define WHOLE
#endif

/* ---- Memory ---- */

WHOLE void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    __asan_check_range(to, n);
    __asan_check_range(from, n);
    __asan_check_apart(to, from, n);
    unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < n; i++) t[i] = f[i];
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n) { return (char *)memcpy(to, from, n) + n; }

WHOLE void *memmove(void *to, const void *from, size_t n) {
    __asan_check_range(to, n);
    __asan_check_range(from, n);
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t < f) {
        for (size_t i = 0; i < n; i++) t[i] = f[i];
    } else {
        for (size_t i = n; i > 0; i--) t[i - 1] = f[i - 1];
    }
    return to;
}

WHOLE void *memset(void *to, int value, size_t n) {
    __asan_check_range(to, n);
    unsigned char *t = to;
    for (size_t i = 0; i < n; i++) t[i] = (unsigned char)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t n) {
    const unsigned char *l = left, *r = right;
    for (size_t i = 0; i < n; i++)
        if (l[i] != r[i]) return l[i] < r[i] ? -1 : 1;
    return 0;
}

void *memchr(const void *in, int value, size_t n) {
    const unsigned char *s = in;
    for (size_t i = 0; i < n; i++)
        if (s[i] == (unsigned char)value) return (void *)(s + i);
    return NULL;
}

void *memrchr(const void *in, int value, size_t n) {
    const unsigned char *s = in;
    for (size_t i = n; i > 0; i--)
        if (s[i - 1] == (unsigned char)value) return (void *)(s + i - 1);
    return NULL;
}

/* ---- Strings ---- */

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n]) n++;
    return n;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from)) to++, from++;
    return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
    size_t i = 0;
    while (i < n && from[i]) to[i] = from[i], i++;
    char *end = to + i;
    while (i < n) to[i++] = 0;
    return end;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    stpncpy(to, from, n);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *end = to + strlen(to);
    while (n > 0 && *from) *end++ = *from++, n--;
    *end = 0;
    return to;
}

int strcmp(const char *left, const char *right) {
    while (*left && *left == *right) left++, right++;
    return (unsigned char)*left - (unsigned char)*right;
}

int strncmp(const char *left, const char *right, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (left[i] != right[i] || !left[i]) return (unsigned char)left[i] - (unsigned char)right[i];
    return 0;
}

int strcasecmp(const char *left, const char *right) {
    while (*left && tolower((unsigned char)*left) == tolower((unsigned char)*right)) left++, right++;
    return tolower((unsigned char)*left) - tolower((unsigned char)*right);
}

int strncasecmp(const char *left, const char *right, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int l = tolower((unsigned char)left[i]), r = tolower((unsigned char)right[i]);
        if (l != r || !l) return l - r;
    }
    return 0;
}

int strcasecmp_l(const char *left, const char *right, locale_t locale) {
    (void)locale;
    return strcasecmp(left, right);
}

int strncasecmp_l(const char *left, const char *right, size_t n, locale_t locale) {
    (void)locale;
    return strncasecmp(left, right, n);
}

char *strchrnul(const char *s, int value) {
    while (*s && *s != (char)value) s++;
    return (char *)s;
}

char *strchr(const char *s, int value) {
    char *found = strchrnul(s, value);
    return *found == (char)value ? found : NULL;
}

char *strrchr(const char *s, int value) {
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)value) found = s;
        if (!*s) return (char *)found;
    }
}

size_t strspn(const char *s, const char *accepted) {
    size_t n = 0;
    while (s[n] && strchr(accepted, s[n])) n++;
    return n;
}

size_t strcspn(const char *s, const char *rejected) {
    size_t n = 0;
    while (s[n] && !strchr(rejected, s[n])) n++;
    return n;
}

char *strpbrk(const char *s, const char *accepted) {
    s += strcspn(s, accepted);
    return *s ? (char *)s : NULL;
}

char *strstr(const char *s, const char *wanted) {
    size_t n = strlen(wanted);
    for (;; s++) {
        if (!strncmp(s, wanted, n)) return (char *)s;
        if (!*s) return NULL;
    }
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) {
    if (!s) s = *rest;
    s += strspn(s, separators);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + strcspn(s, separators);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return s;
}

char *strtok(char *restrict s, const char *restrict separators) {
    static char nothing[1];
    static char *rest = nothing;
    return strtok_r(s, separators, &rest);
}

char *strsep(char **rest, const char *separators) {
    char *s = *rest;
    if (!s) return NULL;
    char *end = s + strcspn(s, separators);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return s;
}

char *strndup(const char *s, size_t most) {
    size_t n = strnlen(s, most);
    char *copy = malloc(n + 1);
    if (!copy) return NULL;
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *strdup(const char *s) { return strndup(s, strlen(s)); }

/* ---- Numbers ---- */

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

/* The digits at `s` as a number of at most `most`; *negative tells the sign. As the standard says for strtol and its family. */
static unsigned long long parse(const char *s, char **end, int base, unsigned long long most, unsigned long long most_negative, int *negative) {
    const char *at = s;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
    *negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16) {
        at += 2;
        base = 16;
    }
    if (base == 0) base = *at == '0' ? 8 : 10;
    unsigned long long limit = *negative ? most_negative : most, value = 0;
    int any = 0, overflow = 0;
    for (; digit_of(*at) < base; at++) {
        unsigned digit = (unsigned)digit_of(*at);
        any = 1;
        if (value > (limit - digit) / (unsigned)base) overflow = 1;
        if (!overflow) value = value * (unsigned)base + digit;
    }
    if (end) *end = (char *)(any ? at : s);
    if (!overflow) return value;
    errno = ERANGE;
    return limit;
}

long strtol(const char *restrict s, char **restrict end, int base) {
    int negative;
    unsigned long long value = parse(s, end, base, LONG_MAX, (unsigned long long)LONG_MAX + 1, &negative);
    return (long)(negative ? -value : value);
}

long long strtoll(const char *restrict s, char **restrict end, int base) {
    int negative;
    unsigned long long value = parse(s, end, base, LLONG_MAX, (unsigned long long)LLONG_MAX + 1, &negative);
    return (long long)(negative ? -value : value);
}

unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
    int negative;
    unsigned long long value = parse(s, end, base, ULONG_MAX, ULONG_MAX, &negative);
    return (unsigned long)(negative ? -value : value);
}

unsigned long long strtoull(const char *restrict s, char **restrict end, int base) {
    int negative;
    unsigned long long value = parse(s, end, base, ULLONG_MAX, ULLONG_MAX, &negative);
    return negative ? -value : value;
}

intmax_t strtoimax(const char *restrict s, char **restrict end, int base) { return strtoll(s, end, base); }
uintmax_t strtoumax(const char *restrict s, char **restrict end, int base) { return strtoull(s, end, base); }

/* The standard leaves overflow open; digits are added one by one, negatively, so that INT_MIN is read too. */
int atoi(const char *s) {
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    int negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    unsigned value = 0;
    while (*s >= '0' && *s <= '9') value = value * 10 + (unsigned)(*s++ - '0');
    return (int)(negative ? -value : value);
}

long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtoll(s, NULL, 10); }

/* ---- Searching and sorting ---- */

void *bsearch(const void *key, const void *in, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    const char *base = in;
    while (n > 0) {
        const char *middle = base + n / 2 * size;
        int order = compare(key, middle);
        if (order == 0) return (void *)middle;
        if (order > 0) {
            base = middle + size;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return NULL;
}

static void swap_bytes(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/* Heap sort: no extra memory, never quadratic. */
static void sift(char *base, size_t root, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *extra) {
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= n) return;
        if (child + 1 < n && compare(base + child * size, base + (child + 1) * size, extra) < 0) child++;
        if (compare(base + root * size, base + child * size, extra) >= 0) return;
        swap_bytes(base + root * size, base + child * size, size);
        root = child;
    }
}

void qsort_r(void *array, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *extra) {
    char *base = array;
    for (size_t root = n / 2; root > 0; root--) sift(base, root - 1, n, size, compare, extra);
    for (size_t last = n; last > 1; last--) {
        swap_bytes(base, base + (last - 1) * size, size);
        sift(base, 0, last - 1, size, compare, extra);
    }
}

struct plain_compare {
    int (*compare)(const void *, const void *);
};

static int without_extra(const void *left, const void *right, void *extra) { return ((struct plain_compare *)extra)->compare(left, right); }

void qsort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    struct plain_compare plain = {compare};
    qsort_r(array, n, size, without_extra, &plain);
}

/* ---- The allocator ----
 *
 * Every block has a header, the caller's bytes, and a red zone behind them. A freed block is filled with a pattern and waits in a
 * quarantine before it is used again; leaving it, the pattern is checked. The host is told of every block that becomes valid or
 * invalid, so that an engine which sees all accesses can judge them exactly; one that does not still hears of overruns when a
 * block is freed, and of all damage from tw_heap_check, which it may call after a group.
 *
 * Memory from __heap_base up to *tw_heap_top was ever used; both are exported, so that an engine knows what to restore.
 */
__attribute__((import_module("twinrun"), import_name("heap_alloc"))) void tw__heap_alloc(void *block, int size);
__attribute__((import_module("twinrun"), import_name("heap_free"))) void tw__heap_free(void *block, int size);
__attribute__((import_module("twinrun"), import_name("heap_error"))) void tw__heap_error(int kind, void *block, int size);

enum heap_error { OVERRUN = 0, WRITE_AFTER_FREE = 1, DOUBLE_FREE = 2, NEVER_ALLOCATED = 3 };

enum {
    LIVE = 0x4c495645,
    QUARANTINED = 0x51554152,
    FREE = 0x46524545,
    RED = 0xfdfdfdfd,
    DEAD = 0xdddddddd,
    RED_ZONE = 16,
    MOST_RED = 64,
    ALIGNMENT = 16,
    PAGE = 65536,
    QUARANTINE = 1 << 18,
    CLASSES = 64,
};

struct block {
    uint32_t state;
    uint32_t size;       /* what the caller asked for */
    uint32_t capacity;   /* bytes behind the header */
    struct block *older; /* all blocks, newest first */
    struct block *next;  /* in the quarantine or in a list of free blocks */
    uint32_t red[3];     /* a red zone in front */
};

extern unsigned char __heap_base;
unsigned char *tw_heap_top;
static unsigned char *arena_end;
static struct block *newest, *quarantine_first, *quarantine_last, *free_blocks[CLASSES];
static size_t quarantined;

static unsigned char *bytes_of(struct block *block) { return (unsigned char *)(block + 1); }

/* Multiples of 16 up to 512, then powers of two: blocks of a class have one capacity. */
static unsigned class_of(size_t size, size_t *capacity) {
    size_t wanted = (size + RED_ZONE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (wanted <= 512) {
        *capacity = wanted;
        return (unsigned)(wanted / ALIGNMENT - 1);
    }
    unsigned class = 32;
    size_t power = 1024;
    while (power < wanted) power *= 2, class++;
    *capacity = power;
    return class;
}

static void fill(void *to, uint32_t pattern, size_t n) {
    uint32_t *words = to;
    for (size_t i = 0; i < n / 4; i++) words[i] = pattern;
}

static size_t red_zone_of(const struct block *block) {
    size_t rest = block->capacity - block->size;
    return rest < MOST_RED ? rest : MOST_RED;
}

static void set_red_zones(struct block *block) {
    for (int i = 0; i < 3; i++) block->red[i] = RED;
    unsigned char *zone = bytes_of(block) + block->size;
    size_t n = red_zone_of(block);
    for (size_t i = 0; i < n; i++) zone[i] = RED & 0xff;
}

static int red_zones_are_intact(struct block *block) {
    for (int i = 0; i < 3; i++)
        if (block->red[i] != RED) return 0;
    unsigned char *zone = bytes_of(block) + block->size;
    size_t n = red_zone_of(block);
    for (size_t i = 0; i < n; i++)
        if (zone[i] != (RED & 0xff)) return 0;
    return 1;
}

static int is_dead(struct block *block) {
    uint32_t *words = (uint32_t *)bytes_of(block);
    size_t n = (block->size + 3) / 4;
    for (size_t i = 0; i < n; i++)
        if (words[i] != DEAD) return 0;
    return 1;
}

/* Fresh memory for a block whose bytes are aligned as wanted. */
static struct block *carve(size_t capacity, size_t alignment) {
    if (!tw_heap_top) tw_heap_top = arena_end = &__heap_base;
    for (int attempt = 0; attempt < 2; attempt++) {
        uintptr_t bytes = ((uintptr_t)tw_heap_top + sizeof(struct block) + alignment - 1) / alignment * alignment;
        uintptr_t end = bytes + capacity;
        if (end < bytes) return NULL;
        if (arena_end == &__heap_base) arena_end = (unsigned char *)(__builtin_wasm_memory_size(0) * PAGE);
        if (end <= (uintptr_t)arena_end) {
            tw_heap_top = (unsigned char *)end;
            return (struct block *)bytes - 1;
        }
        size_t pages = (end - (uintptr_t)arena_end + PAGE - 1) / PAGE + 1;
        size_t old = __builtin_wasm_memory_grow(0, pages);
        if (old == (size_t)-1) return NULL;
        /* Somebody else grew memory: go on behind it. */
        if ((unsigned char *)(old * PAGE) != arena_end) tw_heap_top = (unsigned char *)(old * PAGE);
        arena_end = (unsigned char *)((old + pages) * PAGE);
    }
    return NULL;
}

static void *allocate(size_t size, size_t alignment) {
    if (size > (size_t)INT_MAX - PAGE) {
        errno = ENOMEM;
        return NULL;
    }
    size_t capacity;
    unsigned class = class_of(size, &capacity);
    struct block *block = alignment <= ALIGNMENT ? free_blocks[class] : NULL;
    if (block) {
        free_blocks[class] = block->next;
    } else {
        block = carve(capacity, alignment < ALIGNMENT ? ALIGNMENT : alignment);
        if (!block) {
            errno = ENOMEM;
            return NULL;
        }
        block->capacity = capacity;
        block->older = newest;
        newest = block;
    }
    block->state = LIVE;
    block->size = size;
    block->next = NULL;
    set_red_zones(block);
    tw__heap_alloc(bytes_of(block), (int)size);
    return bytes_of(block);
}

/* The oldest block of the quarantine may be used again. */
static void release_oldest(void) {
    struct block *block = quarantine_first;
    quarantine_first = block->next;
    if (!quarantine_first) quarantine_last = NULL;
    quarantined -= block->capacity;
    if (!is_dead(block)) tw__heap_error(WRITE_AFTER_FREE, bytes_of(block), (int)block->size);
    size_t capacity;
    unsigned class = class_of(block->size, &capacity);
    block->state = FREE;
    block->next = free_blocks[class];
    free_blocks[class] = block;
}

void *malloc(size_t size) { return allocate(size, ALIGNMENT); }

void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    unsigned char *block = allocate(bytes, ALIGNMENT);
    if (block) fill(block, 0, bytes / 4 * 4);
    if (block)
        for (size_t i = bytes / 4 * 4; i < bytes; i++) block[i] = 0;
    return block;
}

void free(void *pointer) {
    if (!pointer) return;
    struct block *block = (struct block *)pointer - 1;
    int is_ours = (uintptr_t)pointer % ALIGNMENT == 0 && (unsigned char *)block >= &__heap_base && (unsigned char *)pointer <= tw_heap_top;
    if (is_ours && (block->state == QUARANTINED || block->state == FREE)) {
        tw__heap_error(DOUBLE_FREE, pointer, (int)block->size);
        return;
    }
    if (!is_ours || block->state != LIVE) {
        tw__heap_error(NEVER_ALLOCATED, pointer, 0);
        return;
    }
    if (!red_zones_are_intact(block)) tw__heap_error(OVERRUN, pointer, (int)block->size);
    tw__heap_free(pointer, (int)block->size);
    fill(pointer, DEAD, (block->size + 3) / 4 * 4);
    block->state = QUARANTINED;
    block->next = NULL;
    if (quarantine_last) quarantine_last->next = block;
    else quarantine_first = block;
    quarantine_last = block;
    quarantined += block->capacity;
    while (quarantined > QUARANTINE) release_oldest();
}

/* Always moves, so that an old pointer never works by luck. */
void *realloc(void *pointer, size_t size) {
    if (!pointer) return malloc(size);
    struct block *block = (struct block *)pointer - 1;
    if (block->state != LIVE) {
        free(pointer); /* says what is wrong */
        return NULL;
    }
    unsigned char *moved = malloc(size);
    if (!moved) return NULL;
    memcpy(moved, pointer, block->size < size ? block->size : size);
    free(pointer);
    return moved;
}

void *reallocarray(void *pointer, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(pointer, bytes);
}

void *aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment); }
void *memalign(size_t alignment, size_t size) { return allocate(size, alignment); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *block = allocate(size, alignment);
    if (!block) return ENOMEM;
    *out = block;
    return 0;
}

size_t malloc_usable_size(void *pointer) { return pointer ? ((struct block *)pointer - 1)->size : 0; }

void *__libc_malloc(size_t size) { return malloc(size); }
void __libc_free(void *pointer) { free(pointer); }
void *__libc_calloc(size_t count, size_t size) { return calloc(count, size); }

/* Looks at every block; reports the first damage. An engine may call it after a group. */
__attribute__((export_name("tw_heap_check"))) void tw_heap_check(void) {
    for (struct block *block = newest; block; block = block->older) {
        if (block->state == LIVE && !red_zones_are_intact(block)) tw__heap_error(OVERRUN, bytes_of(block), (int)block->size);
        if (block->state == QUARANTINED && !is_dead(block)) tw__heap_error(WRITE_AFTER_FREE, bytes_of(block), (int)block->size);
    }
}
