#include <cstdio>
#include <exception>
#include <stdexcept>
int main() { auto p = std::make_exception_ptr(std::runtime_error("made")); try { std::rethrow_exception(p); } catch (const std::exception &e) { printf("%s\n", e.what()); } }
