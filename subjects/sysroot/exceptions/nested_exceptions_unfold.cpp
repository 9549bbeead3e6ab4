#include <cstdio>
#include <exception>
#include <stdexcept>
void print(const std::exception &e, int level) { printf("%*s%s\n", level, "", e.what()); try { std::rethrow_if_nested(e); } catch (const std::exception &inner) { print(inner, level + 1); } }
int main() { try { try { throw std::runtime_error("inner"); } catch (...) { std::throw_with_nested(std::logic_error("outer")); } } catch (const std::exception &e) { print(e, 0); } }
