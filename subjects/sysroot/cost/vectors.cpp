#include <algorithm>
#include <cstdio>
#include <vector>
int main() { unsigned sum = 0; for (int round = 0; round < 200; round++) { std::vector<int> v; for (int i = 0; i < 300; i++) v.push_back((i * 7919 + round) % 1000); std::sort(v.begin(), v.end()); sum = sum * 31 + (unsigned)v[150]; } printf("%u\n", sum); }
