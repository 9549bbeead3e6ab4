#include <cstdio>
#include <stdexcept>
void t(int k) { switch (k) { case 0: throw std::out_of_range("a"); case 1: throw std::invalid_argument("b"); case 2: throw std::overflow_error("c"); default: throw std::range_error("d"); } }
int main() { for (int k = 0; k < 4; k++) try { t(k); } catch (const std::logic_error &e) { printf("logic %s\n", e.what()); } catch (const std::runtime_error &e) { printf("runtime %s\n", e.what()); } }
