#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
int main() {
    std::vector<int> v{1, 2, 3}; std::string s("abc");
    try { printf("%d\n", v.at(1)); v.at(3) = 1; } catch (const std::out_of_range &) { printf("vector\n"); }
    try { printf("%c\n", s.at(1)); s.at(9) = 'x'; } catch (const std::out_of_range &) { printf("string\n"); }
    try { s.substr(7); } catch (const std::exception &) { printf("substr\n"); }
    try { v.reserve((size_t)-1); } catch (const std::length_error &) { printf("length\n"); }
}
