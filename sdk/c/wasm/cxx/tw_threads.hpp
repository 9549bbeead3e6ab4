// tw_threads.hpp: threads and locks of C++ over pthread.h, for a C++ library that is built without threads. They run one after another (threads.c).
#ifndef TWINRUN_THREADS_HPP
#define TWINRUN_THREADS_HPP

#include <__config>
#ifdef _LIBCPP_HAS_NO_THREADS

#include <chrono>
#include <functional>
#include <iosfwd>
#include <memory>
#include <pthread.h>
#include <system_error>
#include <tuple>
#include <utility>

namespace std {

class mutex {
public:
    using native_handle_type = pthread_mutex_t *;
    constexpr mutex() noexcept = default;
    mutex(const mutex &) = delete;
    mutex &operator=(const mutex &) = delete;
    ~mutex() { pthread_mutex_destroy(&own); }
    void lock() { pthread_mutex_lock(&own); }
    bool try_lock() { return pthread_mutex_trylock(&own) == 0; }
    void unlock() { pthread_mutex_unlock(&own); }
    native_handle_type native_handle() { return &own; }

private:
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
};

class recursive_mutex {
public:
    using native_handle_type = pthread_mutex_t *;
    recursive_mutex() = default;
    recursive_mutex(const recursive_mutex &) = delete;
    recursive_mutex &operator=(const recursive_mutex &) = delete;
    ~recursive_mutex() { pthread_mutex_destroy(&own); }
    void lock() { pthread_mutex_lock(&own); }
    bool try_lock() { return pthread_mutex_trylock(&own) == 0; }
    void unlock() { pthread_mutex_unlock(&own); }
    native_handle_type native_handle() { return &own; }

private:
    pthread_mutex_t own = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
};

// Nothing changes while somebody waits for a lock, so that waiting is trying.
class timed_mutex : public mutex {
public:
    template <class R, class P> bool try_lock_for(const chrono::duration<R, P> &) { return try_lock(); }
    template <class C, class D> bool try_lock_until(const chrono::time_point<C, D> &) { return try_lock(); }
};
class recursive_timed_mutex : public recursive_mutex {
public:
    template <class R, class P> bool try_lock_for(const chrono::duration<R, P> &) { return try_lock(); }
    template <class C, class D> bool try_lock_until(const chrono::time_point<C, D> &) { return try_lock(); }
};

class shared_mutex {
public:
    shared_mutex() = default;
    shared_mutex(const shared_mutex &) = delete;
    shared_mutex &operator=(const shared_mutex &) = delete;
    void lock() { pthread_rwlock_wrlock(&own); }
    bool try_lock() { return pthread_rwlock_trywrlock(&own) == 0; }
    void unlock() { pthread_rwlock_unlock(&own); }
    void lock_shared() { pthread_rwlock_rdlock(&own); }
    bool try_lock_shared() { return pthread_rwlock_tryrdlock(&own) == 0; }
    void unlock_shared() { pthread_rwlock_unlock(&own); }

private:
    pthread_rwlock_t own = PTHREAD_RWLOCK_INITIALIZER;
};
class shared_timed_mutex : public shared_mutex {};

template <class M> class unique_lock {
public:
    using mutex_type = M;
    unique_lock() noexcept = default;
    explicit unique_lock(M &m) : held(&m) { lock(); }
    unique_lock(M &m, defer_lock_t) noexcept : held(&m) {}
    unique_lock(M &m, try_to_lock_t) : held(&m), owns(m.try_lock()) {}
    unique_lock(M &m, adopt_lock_t) : held(&m), owns(true) {}
    template <class R, class P> unique_lock(M &m, const chrono::duration<R, P> &time) : held(&m), owns(m.try_lock_for(time)) {}
    unique_lock(unique_lock &&other) noexcept : held(other.held), owns(other.owns) { other.release(); }
    unique_lock &operator=(unique_lock &&other) {
        if (owns) unlock();
        held = other.held, owns = other.owns;
        other.release();
        return *this;
    }
    ~unique_lock() {
        if (owns) held->unlock();
    }
    void lock() { held->lock(), owns = true; }
    bool try_lock() { return owns = held->try_lock(); }
    template <class R, class P> bool try_lock_for(const chrono::duration<R, P> &time) { return owns = held->try_lock_for(time); }
    void unlock() { held->unlock(), owns = false; }
    void swap(unique_lock &other) noexcept { std::swap(held, other.held), std::swap(owns, other.owns); }
    M *release() noexcept {
        M *before = held;
        held = nullptr, owns = false;
        return before;
    }
    bool owns_lock() const noexcept { return owns; }
    explicit operator bool() const noexcept { return owns; }
    M *mutex() const noexcept { return held; }

private:
    M *held = nullptr;
    bool owns = false;
};

template <class M> class shared_lock {
public:
    using mutex_type = M;
    shared_lock() noexcept = default;
    explicit shared_lock(M &m) : held(&m), owns(true) { m.lock_shared(); }
    shared_lock(M &m, defer_lock_t) noexcept : held(&m) {}
    shared_lock(shared_lock &&other) noexcept : held(other.held), owns(other.owns) { other.held = nullptr, other.owns = false; }
    ~shared_lock() {
        if (owns) held->unlock_shared();
    }
    void lock() { held->lock_shared(), owns = true; }
    bool try_lock() { return owns = held->try_lock_shared(); }
    void unlock() { held->unlock_shared(), owns = false; }
    bool owns_lock() const noexcept { return owns; }
    explicit operator bool() const noexcept { return owns; }

private:
    M *held = nullptr;
    bool owns = false;
};

template <class... M> void lock(M &...mutexes) { (mutexes.lock(), ...); }
template <class... M> int try_lock(M &...mutexes) {
    int at = 0, failed = -1;
    ((failed < 0 && (mutexes.try_lock() ? at++ : (failed = at), true)), ...);
    if (failed >= 0) {
        int taken = 0;
        ((taken++ < failed ? mutexes.unlock() : void()), ...);
    }
    return failed;
}

#if _LIBCPP_STD_VER >= 17
template <class... M> class scoped_lock {
public:
    explicit scoped_lock(M &...mutexes) : held(mutexes...) { (mutexes.lock(), ...); }
    explicit scoped_lock(adopt_lock_t, M &...mutexes) : held(mutexes...) {}
    scoped_lock(const scoped_lock &) = delete;
    scoped_lock &operator=(const scoped_lock &) = delete;
    ~scoped_lock() {
        apply([](M &...mutexes) { (mutexes.unlock(), ...); }, held);
    }

private:
    tuple<M &...> held;
};
#endif

enum class cv_status { no_timeout, timeout };

class condition_variable_any {
public:
    void notify_one() noexcept {}
    void notify_all() noexcept {}
    // Whoever waits lets the others run, and looks again.
    template <class L> void wait(L &lock) {
        pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
        pthread_mutex_lock(&inner);
        lock.unlock();
        pthread_cond_wait(&condition, &inner);
        lock.lock();
    }
    template <class L, class P> void wait(L &lock, P ready) {
        while (!ready()) wait(lock);
    }
    template <class L, class C, class D> cv_status wait_until(L &lock, const chrono::time_point<C, D> &) {
        pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
        pthread_mutex_lock(&inner);
        lock.unlock();
        int error = pthread_cond_timedwait(&condition, &inner, nullptr);
        lock.lock();
        return error ? cv_status::timeout : cv_status::no_timeout;
    }
    template <class L, class C, class D, class P> bool wait_until(L &lock, const chrono::time_point<C, D> &until, P ready) {
        while (!ready())
            if (wait_until(lock, until) == cv_status::timeout) return ready();
        return true;
    }
    template <class L, class R, class Q> cv_status wait_for(L &lock, const chrono::duration<R, Q> &) {
        return wait_until(lock, chrono::time_point<chrono::system_clock>());
    }
    template <class L, class R, class Q, class P> bool wait_for(L &lock, const chrono::duration<R, Q> &, P ready) {
        return wait_until(lock, chrono::time_point<chrono::system_clock>(), ready);
    }
};
class condition_variable : public condition_variable_any {};

class thread {
public:
    class id {
    public:
        id() noexcept = default;
        friend bool operator==(id a, id b) noexcept { return a.own == b.own; }
        friend bool operator!=(id a, id b) noexcept { return a.own != b.own; }
        friend bool operator<(id a, id b) noexcept { return a.own < b.own; }
        template <class C, class T> friend basic_ostream<C, T> &operator<<(basic_ostream<C, T> &out, id it) { return out << (unsigned long)it.own; }

    private:
        friend class thread;
        friend struct hash<id>;
        explicit id(pthread_t own) : own(own) {}
        pthread_t own = 0;
        friend id tw_this_id() noexcept;
    };
    using native_handle_type = pthread_t;

    thread() noexcept = default;
    template <class F, class... A, enable_if_t<!is_same<decay_t<F>, thread>::value, int> = 0> explicit thread(F &&f, A &&...arguments) {
        using Call = tuple<decay_t<F>, decay_t<A>...>;
        auto call = make_unique<Call>(std::forward<F>(f), std::forward<A>(arguments)...);
        pthread_create(&own, nullptr, &run<Call>, call.release());
    }
    thread(const thread &) = delete;
    thread(thread &&other) noexcept : own(other.own) { other.own = 0; }
    thread &operator=(thread &&other) noexcept {
        if (joinable()) terminate();
        own = other.own;
        other.own = 0;
        return *this;
    }
    ~thread() {
        if (joinable()) terminate();
    }
    bool joinable() const noexcept { return own != 0; }
    void join() {
        pthread_join(own, nullptr);
        own = 0;
    }
    void detach() {
        pthread_detach(own);
        own = 0;
    }
    void swap(thread &other) noexcept { std::swap(own, other.own); }
    id get_id() const noexcept { return id(own); }
    native_handle_type native_handle() { return own; }
    static unsigned hardware_concurrency() noexcept { return 1; }

private:
    // What leaves a thread by an exception ends the program.
    template <class Call> static void *run(void *argument) noexcept {
        unique_ptr<Call> call(static_cast<Call *>(argument));
        std::apply([](auto &&f, auto &&...arguments) { std::invoke(std::move(f), std::move(arguments)...); }, std::move(*call));
        return nullptr;
    }
    pthread_t own = 0;
};
inline thread::id tw_this_id() noexcept { return thread::id(pthread_self()); }
inline void swap(thread &a, thread &b) noexcept { a.swap(b); }
template <> struct hash<thread::id> {
    size_t operator()(thread::id it) const noexcept { return (size_t)it.own; }
};

namespace this_thread {
inline thread::id get_id() noexcept { return tw_this_id(); }
inline void yield() noexcept { sched_yield(); }
// Time does not pass while others run.
template <class R, class P> void sleep_for(const chrono::duration<R, P> &) { sched_yield(); }
template <class C, class D> void sleep_until(const chrono::time_point<C, D> &) { sched_yield(); }
} // namespace this_thread

} // namespace std
#endif
#endif
