#include <cstdio>
#include <exception>
#include <string>
struct Failure : std::exception { std::string text; Failure(int n) : text("failure " + std::to_string(n)) {} const char *what() const noexcept override { return text.c_str(); } };
int main() { try { throw Failure(7); } catch (const std::exception &e) { printf("%s\n", e.what()); } }
