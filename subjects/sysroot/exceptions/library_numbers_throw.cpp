#include <cstdio>
#include <stdexcept>
#include <string>
int main() {
    const char *texts[] = {"12", "x", "99999999999999999999", "-7z"};
    for (const char *t : texts) try { printf("%d\n", std::stoi(t)); } catch (const std::invalid_argument &) { printf("invalid\n"); } catch (const std::out_of_range &) { printf("range\n"); }
    try { std::stod("q"); } catch (const std::invalid_argument &) { printf("stod\n"); }
}
