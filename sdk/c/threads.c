/* threads.c: threads for a world that has one: each runs to its end before the next goes on (wasm/pthread.h).
 *
 * A thread that was created waits in a queue. Threads of the queue run, the oldest first, where the running one has to wait: for another thread, a condition, a
 * semaphore or a barrier. They run on top of it, on the same stack, so that it goes on only when they have ended. What then still holds it up would do so for
 * ever: the run ends and says that nothing is known about the program.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noreturn, import_module("twinrun"), import_name("unsupported"))) void tw__unsupported(const char *text, int length);

#define STUCK(call) \
    do { \
        static const char text[] = call " would wait for ever: threads run one after another here, so this says nothing about the program"; \
        tw__unsupported(text, sizeof text - 1); \
    } while (0)

struct cleanup {
    struct cleanup *below;
    void (*routine)(void *);
    void *argument;
};

struct __pthread {
    struct __pthread *next;
    void *(*start)(void *);
    void *argument, *result;
    enum { WAITING, RUNNING, ENDED } state;
    int detached;
    struct cleanup *cleanups;
    const void *values[PTHREAD_KEYS_MAX];
    jmp_buf end;
};

static struct __pthread first = {.state = RUNNING};
static struct __pthread *running, *queue;
static void (*destructors[PTHREAD_KEYS_MAX])(void *);
static unsigned char keys[PTHREAD_KEYS_MAX];

static struct __pthread *self(void) { return running ? running : &first; }

static void end_values(struct __pthread *thread) {
    for (int round = 0; round < 4; round++)
        for (int key = 0; key < PTHREAD_KEYS_MAX; key++) {
            void *value = (void *)thread->values[key];
            thread->values[key] = NULL;
            if (value && keys[key] && destructors[key]) destructors[key](value);
        }
}

static void run(struct __pthread *thread) {
    struct __pthread *before = running;
    running = thread;
    thread->state = RUNNING;
#ifdef TWINRUN_STAYS_IN_CALLS
    thread->result = thread->start(thread->argument);
#else
    if (setjmp(thread->end) == 0) thread->result = thread->start(thread->argument);
#endif
    while (thread->cleanups) tw__pthread_cleanup_pop(1);
    end_values(thread);
    thread->state = ENDED;
    running = before;
    if (thread->detached) free(thread);
}

/* Lets the oldest waiting thread run; 0 when there is none. */
static int run_next(void) {
    struct __pthread *thread = queue;
    if (!thread) return 0;
    queue = thread->next;
    run(thread);
    return 1;
}

int pthread_create(pthread_t *restrict made, const pthread_attr_t *restrict attributes, void *(*start)(void *), void *restrict argument) {
    struct __pthread *thread = calloc(1, sizeof *thread);
    if (!thread) return EAGAIN;
    thread->start = start;
    thread->argument = argument;
    thread->detached = attributes && attributes->__u.__i[0] == PTHREAD_CREATE_DETACHED;
    struct __pthread **last = &queue;
    while (*last) last = &(*last)->next;
    *last = thread;
    *made = thread;
    return 0;
}

int pthread_join(pthread_t thread, void **result) {
    if (thread == self()) return EDEADLK;
    if (thread->detached) return EINVAL;
    while (thread->state == WAITING && run_next()) {}
    if (thread->state != ENDED) STUCK("pthread_join");
    if (result) *result = thread->result;
    free(thread);
    return 0;
}

int pthread_detach(pthread_t thread) {
    if (thread->state == ENDED) free(thread);
    else thread->detached = 1;
    return 0;
}

_Noreturn void pthread_exit(void *result) {
    struct __pthread *thread = self();
    thread->result = result;
    if (thread == &first) {
        while (run_next()) {}
        exit(0);
    }
#ifdef TWINRUN_STAYS_IN_CALLS
    static const char text[] = "`pthread_exit` was called: this compiler cannot lower jumps";
    tw__unsupported(text, sizeof text - 1);
#else
    longjmp(thread->end, 1);
#endif
}

pthread_t pthread_self(void) { return self(); }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
/* A thread that waits never begins; one that has ended stays as it is. */
int pthread_cancel(pthread_t thread) {
    for (struct __pthread **at = &queue; *at; at = &(*at)->next)
        if (*at == thread) {
            *at = thread->next;
            thread->state = ENDED;
            thread->result = PTHREAD_CANCELED;
            return 0;
        }
    return thread->state == ENDED ? ESRCH : ENOTSUP;
}
int pthread_setcancelstate(int state, int *before) {
    (void)state;
    if (before) *before = PTHREAD_CANCEL_ENABLE;
    return 0;
}
int pthread_setcanceltype(int type, int *before) {
    (void)type;
    if (before) *before = PTHREAD_CANCEL_DEFERRED;
    return 0;
}
void pthread_testcancel(void) {}
int pthread_kill(pthread_t thread, int number) { return thread == self() ? raise(number) : ENOTSUP; }
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return (void)before, (void)parent, (void)child, 0; }
int pthread_setname_np(pthread_t thread, const char *name) { return (void)thread, (void)name, 0; }
int pthread_getname_np(pthread_t thread, char *name, size_t size) {
    (void)thread;
    if (size == 0) return ERANGE;
    name[0] = 0;
    return 0;
}
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) { return (void)thread, pthread_attr_init(attributes); }
int sched_yield(void) {
    run_next();
    return 0;
}

void tw__pthread_cleanup_push(void (*routine)(void *), void *argument) {
    struct cleanup *cleanup = malloc(sizeof *cleanup);
    if (!cleanup) abort();
    *cleanup = (struct cleanup){self()->cleanups, routine, argument};
    self()->cleanups = cleanup;
}
void tw__pthread_cleanup_pop(int execute) {
    struct cleanup *cleanup = self()->cleanups, own;
    if (!cleanup) return;
    own = *cleanup;
    self()->cleanups = own.below;
    free(cleanup);
    if (execute) own.routine(own.argument);
}

/* ---- Attributes: the first number of one is what it tells ---- */

int pthread_attr_init(pthread_attr_t *attributes) {
    memset(attributes, 0, sizeof *attributes);
    return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) { return (void)attributes, 0; }
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) { return attributes->__u.__i[0] = state, 0; }
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) { return *state = attributes->__u.__i[0], 0; }
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) { return attributes->__u.__i[1] = (int)size, 0; }
int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, size_t *restrict size) {
    *size = attributes->__u.__i[1] ? (size_t)attributes->__u.__i[1] : 1 << 20;
    return 0;
}
int pthread_attr_setscope(pthread_attr_t *attributes, int scope) { return (void)attributes, (void)scope, 0; }
int pthread_mutexattr_init(pthread_mutexattr_t *attributes) { return attributes->__attr = 0, 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return (void)attributes, 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
    if (type < 0 || type > PTHREAD_MUTEX_ERRORCHECK) return EINVAL;
    attributes->__attr = (unsigned)type;
    return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict type) { return *type = (int)attributes->__attr, 0; }
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) { return (void)attributes, (void)shared, 0; }
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) { return (void)attributes, (void)protocol, 0; }
int pthread_condattr_init(pthread_condattr_t *attributes) { return attributes->__attr = 0, 0; }
int pthread_condattr_destroy(pthread_condattr_t *attributes) { return (void)attributes, 0; }
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) { return (void)attributes, (void)clock, 0; }
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) { return (void)attributes, (void)shared, 0; }
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) { return (void)attributes, 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) { return (void)attributes, 0; }

/* ---- Mutexes ---- */

struct mutex {
    int type, count;
    struct __pthread *holder;
};
_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t), "a mutex fits the library's type");

static int take(struct mutex *mutex) {
    if (mutex->count == 0) {
        mutex->count = 1;
        mutex->holder = self();
        return 0;
    }
    if (mutex->type == PTHREAD_MUTEX_RECURSIVE && mutex->holder == self()) {
        mutex->count++;
        return 0;
    }
    return EBUSY;
}

int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attributes) {
    memset(mutex, 0, sizeof *mutex);
    ((struct mutex *)mutex)->type = attributes ? (int)attributes->__attr : 0;
    return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) { return ((struct mutex *)mutex)->count ? EBUSY : 0; }
int pthread_mutex_trylock(pthread_mutex_t *mutex) { return take((struct mutex *)mutex); }
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    struct mutex *m = (struct mutex *)mutex;
    if (take(m) == 0) return 0;
    if (m->type == PTHREAD_MUTEX_ERRORCHECK && m->holder == self()) return EDEADLK;
    STUCK("pthread_mutex_lock");
    return EDEADLK;
}
int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    (void)until;
    return take((struct mutex *)mutex) ? ETIMEDOUT : 0;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    struct mutex *m = (struct mutex *)mutex;
    if (m->count == 0 || m->holder != self()) return EPERM;
    if (--m->count == 0) m->holder = NULL;
    return 0;
}

/* ---- Conditions: a wait lets others run and may end early, as the standard allows ---- */

static int wait_for(pthread_mutex_t *mutex) {
    struct mutex *m = (struct mutex *)mutex;
    int count = m->count;
    if (count == 0 || m->holder != self()) return EPERM;
    m->count = 0;
    m->holder = NULL;
    int ran = run_next();
    if (m->count != 0) STUCK("pthread_cond_wait");
    m->count = count;
    m->holder = self();
    return ran ? 0 : ETIMEDOUT;
}

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes) {
    (void)attributes;
    memset(condition, 0, sizeof *condition);
    return 0;
}
int pthread_cond_destroy(pthread_cond_t *condition) { return (void)condition, 0; }
int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    (void)condition;
    int error = wait_for(mutex);
    if (error == ETIMEDOUT) STUCK("pthread_cond_wait");
    return error;
}
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    (void)condition, (void)until;
    return wait_for(mutex);
}
int pthread_cond_signal(pthread_cond_t *condition) { return (void)condition, 0; }
int pthread_cond_broadcast(pthread_cond_t *condition) { return (void)condition, 0; }

/* ---- Locks for readers and writers ---- */

struct rwlock {
    int readers;
    struct __pthread *writer;
};
int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes) {
    (void)attributes;
    memset(lock, 0, sizeof *lock);
    return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) { return (void)lock, 0; }
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    struct rwlock *l = (struct rwlock *)lock;
    if (l->writer) return EBUSY;
    l->readers++;
    return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    struct rwlock *l = (struct rwlock *)lock;
    if (l->writer || l->readers) return EBUSY;
    l->writer = self();
    return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (pthread_rwlock_tryrdlock(lock) == 0) return 0;
    if (((struct rwlock *)lock)->writer == self()) return EDEADLK;
    STUCK("pthread_rwlock_rdlock");
    return EDEADLK;
}
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (pthread_rwlock_trywrlock(lock) == 0) return 0;
    if (((struct rwlock *)lock)->writer == self()) return EDEADLK;
    STUCK("pthread_rwlock_wrlock");
    return EDEADLK;
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    struct rwlock *l = (struct rwlock *)lock;
    if (l->writer == self()) l->writer = NULL;
    else if (l->readers) l->readers--;
    else return EPERM;
    return 0;
}

/* ---- Spin locks, barriers, once ---- */

int pthread_spin_init(pthread_spinlock_t *lock, int shared) { return (void)shared, *lock = 0, 0; }
int pthread_spin_destroy(pthread_spinlock_t *lock) { return (void)lock, 0; }
int pthread_spin_trylock(pthread_spinlock_t *lock) { return *lock ? EBUSY : (*lock = 1, 0); }
int pthread_spin_lock(pthread_spinlock_t *lock) {
    if (pthread_spin_trylock(lock)) STUCK("pthread_spin_lock");
    return 0;
}
int pthread_spin_unlock(pthread_spinlock_t *lock) { return *lock = 0, 0; }

struct barrier {
    unsigned count, arrived, rounds;
};
int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes, unsigned count) {
    (void)attributes;
    if (count == 0) return EINVAL;
    *(struct barrier *)barrier = (struct barrier){count, 0, 0};
    return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *barrier) { return (void)barrier, 0; }
int pthread_barrier_wait(pthread_barrier_t *barrier) {
    struct barrier *b = (struct barrier *)barrier;
    unsigned round = b->rounds;
    if (++b->arrived == b->count) {
        b->arrived = 0;
        b->rounds++;
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    while (b->rounds == round)
        if (!run_next()) STUCK("pthread_barrier_wait");
    return 0;
}

int pthread_once(pthread_once_t *once, void (*action)(void)) {
    if (*once) return 0;
    *once = 1;
    action();
    return 0;
}

/* ---- Values of threads ---- */

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++)
        if (!keys[i]) {
            keys[i] = 1;
            destructors[i] = destructor;
            *key = i;
            return 0;
        }
    return EAGAIN;
}
int pthread_key_delete(pthread_key_t key) {
    if (key >= PTHREAD_KEYS_MAX || !keys[key]) return EINVAL;
    keys[key] = 0;
    destructors[key] = NULL;
    return 0;
}
void *pthread_getspecific(pthread_key_t key) { return key < PTHREAD_KEYS_MAX ? (void *)self()->values[key] : NULL; }
int pthread_setspecific(pthread_key_t key, const void *value) {
    if (key >= PTHREAD_KEYS_MAX || !keys[key]) return EINVAL;
    self()->values[key] = value;
    return 0;
}

/* ---- Semaphores: the first number is the value ---- */

int sem_init(sem_t *semaphore, int shared, unsigned value) { return (void)shared, semaphore->__val[0] = (int)value, 0; }
int sem_destroy(sem_t *semaphore) { return (void)semaphore, 0; }
int sem_post(sem_t *semaphore) { return semaphore->__val[0]++, 0; }
int sem_getvalue(sem_t *restrict semaphore, int *restrict value) { return *value = semaphore->__val[0], 0; }
int sem_trywait(sem_t *semaphore) {
    if (semaphore->__val[0] <= 0) {
        errno = EAGAIN;
        return -1;
    }
    semaphore->__val[0]--;
    return 0;
}
int sem_wait(sem_t *semaphore) {
    while (semaphore->__val[0] <= 0)
        if (!run_next()) STUCK("sem_wait");
    return sem_trywait(semaphore);
}
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    (void)until;
    while (semaphore->__val[0] <= 0)
        if (!run_next()) {
            errno = ETIMEDOUT;
            return -1;
        }
    return sem_trywait(semaphore);
}
