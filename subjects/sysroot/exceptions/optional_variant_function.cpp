#include <cstdio>
#include <functional>
#include <optional>
#include <variant>
int main() {
    std::optional<int> o; std::variant<int, char> v = 'c'; std::function<int()> f;
    try { o.value(); } catch (const std::bad_optional_access &) { printf("optional\n"); }
    try { std::get<int>(v); } catch (const std::bad_variant_access &) { printf("variant\n"); }
    try { f(); } catch (const std::bad_function_call &) { printf("function\n"); }
}
