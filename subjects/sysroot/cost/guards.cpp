#include <cstdio>
struct Guard { int *n; Guard(int *n) : n(n) { ++*n; } ~Guard() { --*n; } };
static int open_;
int leaf(int x) { return x * 3 + 1; }
int middle(int x) { Guard g(&open_); return leaf(x) + leaf(x + 1) + open_; }
int main() { unsigned sum = 0; for (int i = 0; i < 2000000; i++) { Guard g(&open_); sum += (unsigned)middle(i); } printf("%u\n", sum); }
