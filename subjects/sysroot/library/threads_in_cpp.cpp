#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
int main() {
    std::mutex m; std::atomic<int> hits{0}; int sum = 0; std::vector<std::thread> all;
    for (int i = 0; i < 4; i++) all.emplace_back([&, i] { std::lock_guard<std::mutex> g(m); sum += i; hits++; });
    for (auto &t : all) t.join();
    printf("%d %d\n", sum, hits.load());
    std::condition_variable cv; std::queue<int> q; bool done = false; int got = 0;
    std::thread consumer([&] { std::unique_lock<std::mutex> l(m); while (!done || !q.empty()) { cv.wait(l, [&] { return done || !q.empty(); }); while (!q.empty()) { got += q.front(); q.pop(); } } });
    { std::lock_guard<std::mutex> g(m); for (int i = 0; i < 5; i++) q.push(i); done = true; }
    cv.notify_all(); consumer.join(); printf("%d\n", got);
    std::once_flag once; for (int i = 0; i < 2; i++) std::call_once(once, [] { printf("once\n"); });
    std::recursive_mutex r; { std::scoped_lock a(r, m); std::lock_guard<std::recursive_mutex> b(r); printf("locked %d\n", m.try_lock()); }
}
