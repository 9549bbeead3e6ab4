#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>
#include <twinrun.h>

struct Shape { virtual ~Shape() = default; virtual int area() const = 0; };
struct Square : Shape { int side; explicit Square(int s) : side(s) {} int area() const override { return side * side; } };

static int containers(int n) {
    std::vector<int> v;
    for (int i = 0; i < n; i++) v.push_back((i * 7) % 5);
    std::sort(v.begin(), v.end());
    std::string s = "ab";
    for (int i = 0; i < n; i++) s += char('a' + i % 26);
    std::string t = s + "x";
    std::map<std::string, int> m;
    m[s] = 1; m[t] = 2; m["k"] += n;
    std::unique_ptr<Shape> shape(new Square(n));
    std::string moved = std::move(t);
    return std::accumulate(v.begin(), v.end(), 0) + int(s.size()) + m[s] + shape->area() + (moved < s) + int(moved.find('x'));
}
RELATION(containers) { int n = tw_i32("n", 0, 20); CHECK_EQ(RUN(containers(n)), RUN(containers(n))); }
static std::string text(int n) { std::string s; for (int i = 0; i < n; i++) s += 'a'; return s; }
RELATION(strings) { int n = tw_i32("n", 0, 40); CHECK_EQ(RUN(text(n)), RUN(text(n))); }
