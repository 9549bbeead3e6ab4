#include <cstdio>
#include <string>
int main() { unsigned sum = 0; for (int i = 0; i < 30000; i++) { std::string a = "item ", b = std::to_string(i); std::string c = a + b; if (c.find("99") != std::string::npos) c += "!"; sum = sum * 31 + (unsigned)c.size(); } printf("%u\n", sum); }
