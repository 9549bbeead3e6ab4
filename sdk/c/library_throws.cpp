// library_throws.cpp: what the C++ library throws from its own compiled code.
//
// The distribution's library is built without exceptions: where it would throw, it calls these functions, or aborts with a message that names the type. So the throw
// is made up for here. Compiled code of the library between the throw and the handler has no landings: what its locals hold there is lost.
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

namespace {

bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

[[noreturn]] void fail(const char *format, va_list arguments) {
    const bool message = strstr(format, "message") != nullptr, numbered = strstr(format, "error %i") != nullptr;
    const int number = numbered ? va_arg(arguments, int) : 0;
    const char *what = message ? va_arg(arguments, const char *) : format;
    if (starts_with(format, "out_of_range was")) throw std::out_of_range(what);
    if (starts_with(format, "length_error was")) throw std::length_error(what);
    if (starts_with(format, "invalid_argument was")) throw std::invalid_argument(what);
    if (starts_with(format, "logic_error was")) throw std::logic_error(what);
    if (starts_with(format, "domain_error was")) throw std::domain_error(what);
    if (starts_with(format, "runtime_error was")) throw std::runtime_error(what);
    if (starts_with(format, "range_error was")) throw std::range_error(what);
    if (starts_with(format, "overflow_error was")) throw std::overflow_error(what);
    if (starts_with(format, "underflow_error was")) throw std::underflow_error(what);
    if (starts_with(format, "bad_alloc was")) throw std::bad_alloc();
    if (starts_with(format, "bad_array_new_length was")) throw std::bad_array_new_length();
    if (starts_with(format, "bad_cast was")) throw std::bad_cast();
    if (starts_with(format, "system_error was")) throw std::system_error(number, std::generic_category(), what);
    // ios_base::failure, which would bring all of the streams along, and types that later libraries have.
    throw std::runtime_error(what);
}

} // namespace

namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {
[[noreturn]] void __libcpp_verbose_abort(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail(format, arguments);
}
} // namespace _LIBCPP_ABI_NAMESPACE
} // namespace std

// The library's own aborts where memory is short. Weak, so that a program may still replace it.
__attribute__((weak)) void *operator new(size_t size) {
    for (;;) {
        if (void *block = malloc(size ? size : 1)) return block;
        std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

extern "C" {
[[noreturn]] void __cxa_bad_cast() { throw std::bad_cast(); }
[[noreturn]] void __cxa_bad_typeid() { throw std::bad_typeid(); }
[[noreturn]] void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
}
