// exceptions.cpp: throwing and catching, as the C++ ABI for Itanium tells it, over the calls that unwind.c leaves.
//
// The compiler's names: `__cxa_find_matching_catch_N` runs where a landing begins and says which of its clauses fits; the rest are those of the ABI. Types are
// matched by the C++ library's own `can_catch`. What is thrown is kept on the heap behind a header.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

extern "C" {
[[noreturn]] void tw_leave(uintptr_t what, int value);
void tw_landed(void);
void setTempRet0(int value);
__attribute__((import_module("twinrun"), import_name("caught"))) int tw__caught(void);
__attribute__((import_module("twinrun"), import_name("thrown"))) void tw__thrown(void);
[[noreturn]] __attribute__((import_module("twinrun"), import_name("uncaught"))) void tw__uncaught(const char *text, int length);
}

namespace __cxxabiv1 {
// As the library declares it: only its table of functions counts.
class __shim_type_info : public std::type_info {
public:
    ~__shim_type_info() override;
    virtual void noop1() const;
    virtual void noop2() const;
    virtual bool can_catch(const __shim_type_info *thrown, void *&object) const = 0;
};
} // namespace __cxxabiv1
using Type = const __cxxabiv1::__shim_type_info;

namespace {

// Destructors return `this` in WebAssembly.
using Destructor = void *(*)(void *);

struct Header {
    void *object;
    // The one that owns the object; others stand for an exception_ptr that was thrown again.
    Header *primary;
    Type *type;
    Destructor destructor;
    // What the handler is given: the part of the object that its type speaks of.
    void *adjusted;
    // The handler around the one that handles this.
    Header *next;
    // How many handlers are open; negative after `throw;`.
    int handlers;
    // Of the object, kept with its owner.
    int references;
};

// A pointer to an exception points so far before the object: `catch (T *&)` counts on the size that the compiler believes the unwinder's header to have.
constexpr size_t BEFORE = 32;
static_assert(sizeof(Header) % 16 == 0, "what is thrown stays aligned");

// The exception on its way, those that are handled, and how many were thrown and not yet caught. All are as before when a run has ended.
Header *underway;
Header *handled;
unsigned uncaught;

void *pointer(Header *header) { return header + 1; }
Header *header(void *pointer) { return static_cast<Header *>(pointer) - 1; }
Header *owner(void *object) { return header(static_cast<char *>(object) - BEFORE); }

void release(Header *owner) {
    if (--owner->references > 0) return;
    if (owner->destructor) owner->destructor(owner->object);
    free(owner);
}

struct Text {
    char bytes[400];
    int length = 0;
    void add(const char *from, size_t n) {
        for (size_t i = 0; i < n && length < (int)sizeof bytes; i++) bytes[length++] = from[i];
    }
    void add(const char *from) { add(from, strlen(from)); }
};

const char *builtin(char code) {
    switch (code) {
    case 'b': return "bool";
    case 'c': return "char";
    case 'h': return "unsigned char";
    case 's': return "short";
    case 'i': return "int";
    case 'j': return "unsigned int";
    case 'l': return "long";
    case 'm': return "unsigned long";
    case 'x': return "long long";
    case 'y': return "unsigned long long";
    case 'f': return "float";
    case 'd': return "double";
    default: return nullptr;
    }
}

// A type's name for people: names, namespaces, pointers and numbers; the rest stays as the compiler writes it.
void name(Text &text, const char *mangled) {
    const char *at = mangled;
    const int start = text.length;
    int pointers = 0;
    bool constant = false, nested = false, first = true;
    while (*at == 'P') pointers++, at++;
    if (*at == 'K') constant = true, at++;
    if (constant) text.add("const ");
    if (const char *known = at[1] ? nullptr : builtin(*at)) {
        text.add(known);
        at++;
    } else {
        if (*at == 'N') nested = true, at++;
        if (at[0] == 'S' && at[1] == 't') {
            text.add("std");
            first = false;
            at += 2;
        }
        while (*at >= '0' && *at <= '9') {
            char *after;
            size_t length = strtoul(at, &after, 10);
            if (length > strlen(after)) break;
            // The library's inline namespace is its own business.
            if (strncmp(after, "__", 2) != 0 || !nested || after[length] < '0' || after[length] > '9') {
                if (!first) text.add("::");
                text.add(after, length);
                first = false;
            }
            at = after + length;
        }
        if (nested && *at == 'E') at++;
    }
    if (*at) {
        text.length = start;
        text.add(mangled);
        return;
    }
    if (pointers) text.add(" ");
    while (pointers-- > 0) text.add("*");
}

// What an exception tells of itself.
void describe(Text &text, Header *found) {
    name(text, found->type->name());
    void *object = found->object;
    if (static_cast<Type &>(typeid(std::exception)).can_catch(found->type, object)) {
        text.add(": ");
        text.add(static_cast<std::exception *>(object)->what());
    } else if (*found->type == typeid(const char *)) {
        text.add(": ");
        text.add(*static_cast<const char **>(found->object));
    } else if (*found->type == typeid(int)) {
        char digits[12];
        int at = sizeof digits, value = *static_cast<int *>(found->object);
        unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
        do digits[--at] = (char)('0' + rest % 10);
        while (rest /= 10);
        if (value < 0) digits[--at] = '-';
        text.add(": ");
        text.add(digits + at, sizeof digits - at);
    }
}

[[noreturn]] void report() {
    Text text;
    if (Header *found = underway ? underway : handled) {
        text.add("uncaught exception ");
        describe(text, found);
    } else {
        tw__thrown();
        text.add("std::terminate was called");
    }
    tw__uncaught(text.bytes, text.length);
}

// Leaves calls up to the next landing; without one the program ends.
[[noreturn]] void leave(Header *found) {
    underway = found;
    if (!tw__caught()) {
        std::get_terminate()();
        report();
    }
    tw_leave(1, 0);
}

template <class... Types> void *find(Types... types) {
    tw_landed();
    Header *found = underway;
    if (!found) {
        setTempRet0(0);
        return nullptr;
    }
    Type *clauses[] = {types..., nullptr};
    for (size_t i = 0; i < sizeof...(types); i++) {
        void *object = found->object;
        if (!clauses[i] || clauses[i]->can_catch(found->type, object)) {
            found->adjusted = object;
            // Behind `noexcept` comes no handler but std::terminate, which wants to know.
            underway = clauses[i] ? nullptr : found;
            setTempRet0((int)(uintptr_t)clauses[i]);
            return pointer(found);
        }
    }
    underway = nullptr;
    setTempRet0(0);
    return pointer(found);
}

// What std::current_exception speaks of.
Header *current() { return underway ? underway : handled; }

} // namespace

extern "C" {
// What the library's own file of defaults holds: set_terminate and its like change it.
std::terminate_handler __cxa_terminate_handler = report;
void (*__cxa_unexpected_handler)() = std::terminate;
void (*__cxa_new_handler)() = nullptr;
}

std::terminate_handler std::set_terminate(std::terminate_handler handler) noexcept {
    std::terminate_handler before = __cxa_terminate_handler;
    __cxa_terminate_handler = handler ? handler : report;
    return before;
}
std::new_handler std::set_new_handler(std::new_handler handler) noexcept {
    std::new_handler before = __cxa_new_handler;
    __cxa_new_handler = handler;
    return before;
}

extern "C" {
// std::set_unexpected, which newer headers do not declare.
void (*tw_set_unexpected(void (*handler)()))() __asm__("_ZSt14set_unexpectedPFvvE");
void (*tw_set_unexpected(void (*handler)()))() {
    void (*before)() = __cxa_unexpected_handler;
    __cxa_unexpected_handler = handler ? handler : std::terminate;
    return before;
}

void *__cxa_allocate_exception(size_t size) {
    void *block = calloc(1, sizeof(Header) + BEFORE + size);
    if (!block) std::terminate();
    return static_cast<char *>(block) + sizeof(Header) + BEFORE;
}

void __cxa_free_exception(void *object) { free(owner(object)); }

[[noreturn]] void __cxa_throw(void *object, std::type_info *type, Destructor destructor) {
    Header *thrown = owner(object);
    *thrown = Header{object, thrown, static_cast<Type *>(type), destructor, object, nullptr, 0, 1};
    uncaught++;
    tw__thrown();
    leave(thrown);
}

[[noreturn]] void __cxa_rethrow() {
    Header *again = handled;
    if (!again) std::terminate();
    again->handlers = -again->handlers;
    uncaught++;
    leave(again);
}

[[noreturn]] void __resumeException(void *exception) { leave(header(exception)); }

void *__cxa_begin_catch(void *exception) {
    Header *found = header(exception);
    found->handlers = (found->handlers < 0 ? -found->handlers : found->handlers) + 1;
    if (handled != found) {
        found->next = handled;
        handled = found;
    }
    if (uncaught > 0) uncaught--;
    underway = nullptr;
    return found->adjusted;
}

void *__cxa_get_exception_ptr(void *exception) { return header(exception)->adjusted; }

void __cxa_end_catch() {
    Header *found = handled;
    if (!found) return;
    if (found->handlers < 0) {
        // It is on its way again, from `throw;`.
        if (++found->handlers == 0) handled = found->next;
    } else if (--found->handlers == 0) {
        handled = found->next;
        Header *primary = found->primary;
        if (found != primary) free(found);
        release(primary);
    }
}

std::type_info *__cxa_current_exception_type() {
    return handled ? const_cast<__cxxabiv1::__shim_type_info *>(handled->type) : nullptr;
}
bool __cxa_uncaught_exception() noexcept { return uncaught != 0; }
unsigned __cxa_uncaught_exceptions() noexcept { return uncaught; }

// ---- exception_ptr ----

void __cxa_increment_exception_refcount(void *object) noexcept {
    if (object) owner(object)->references++;
}
void __cxa_decrement_exception_refcount(void *object) noexcept {
    if (object) release(owner(object));
}
void *__cxa_current_primary_exception() noexcept {
    Header *now = current();
    if (!now) return nullptr;
    now->primary->references++;
    return now->object;
}
void __cxa_rethrow_primary_exception(void *object) {
    if (!object) return;
    Header *primary = owner(object);
    Header *again = static_cast<Header *>(calloc(1, sizeof(Header) + BEFORE));
    if (!again) std::terminate();
    *again = Header{object, primary, primary->type, nullptr, object, nullptr, 0, 0};
    primary->references++;
    uncaught++;
    tw__thrown();
    leave(again);
}
// Under another name here, because headers of some versions declare it with other types.
void *tw_init_primary(void *object, std::type_info *type, Destructor destructor) __asm__("__cxa_init_primary_exception");
void *tw_init_primary(void *object, std::type_info *type, Destructor destructor) {
    Header *made = owner(object);
    *made = Header{object, made, static_cast<Type *>(type), destructor, object, nullptr, 0, 0};
    return made;
}

// ---- Where a landing begins ----

Type *llvm_eh_typeid_for(Type *type) { return type; }
void *__cxa_find_matching_catch_2() { return find(); }
void *__cxa_find_matching_catch_3(Type *a) { return find(a); }
void *__cxa_find_matching_catch_4(Type *a, Type *b) { return find(a, b); }
void *__cxa_find_matching_catch_5(Type *a, Type *b, Type *c) { return find(a, b, c); }
void *__cxa_find_matching_catch_6(Type *a, Type *b, Type *c, Type *d) { return find(a, b, c, d); }
void *__cxa_find_matching_catch_7(Type *a, Type *b, Type *c, Type *d, Type *e) { return find(a, b, c, d, e); }
void *__cxa_find_matching_catch_8(Type *a, Type *b, Type *c, Type *d, Type *e, Type *f) { return find(a, b, c, d, e, f); }
void *__cxa_find_matching_catch_9(Type *a, Type *b, Type *c, Type *d, Type *e, Type *f, Type *g) { return find(a, b, c, d, e, f, g); }
void *__cxa_find_matching_catch_10(Type *a, Type *b, Type *c, Type *d, Type *e, Type *f, Type *g, Type *h) {
    return find(a, b, c, d, e, f, g, h);
}
void *__cxa_find_matching_catch_11(Type *a, Type *b, Type *c, Type *d, Type *e, Type *f, Type *g, Type *h, Type *i) {
    return find(a, b, c, d, e, f, g, h, i);
}
void *__cxa_find_matching_catch_12(Type *a, Type *b, Type *c, Type *d, Type *e, Type *f, Type *g, Type *h, Type *i, Type *j) {
    return find(a, b, c, d, e, f, g, h, i, j);
}
}
