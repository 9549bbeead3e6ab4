#include <cstdio>
#include <map>
#include <memory>
#include <string>
struct Shape { virtual ~Shape() {} virtual int area() const = 0; }; struct Square : Shape { int n; Square(int n) : n(n) {} int area() const override { return n * n; } }; struct Line : Shape { int area() const override { return 0; } };
int main() { unsigned sum = 0; for (int round = 0; round < 400; round++) { std::map<int, std::unique_ptr<Shape>> all; for (int i = 0; i < 60; i++) { if (i % 3) all[(i * 37) % 61] = std::make_unique<Square>(i); else all[i] = std::make_unique<Line>(); } for (const auto &[key, shape] : all) sum += (unsigned)(key * shape->area()); } printf("%u\n", sum); }
