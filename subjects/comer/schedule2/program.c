/* A scheduler with three priorities and a queue of blocked jobs, in one array that is kept in order of arrival. */
enum { JOBS = 64, BLOCKED = 0, LOWEST = 1, HIGHEST = 3, NONE = -1 };

void schedule_start(void);
void schedule_add(int queue);
void schedule_promote(int queue, double ratio);
void schedule_block(void);
void schedule_unblock(double ratio);
void schedule_expire(void);
int schedule_finish(void);

typedef struct {
    int id, queue, home;
} Job;

static Job table[JOBS];
static int count;
static int created;

static int size_of(int queue) {
    int size = 0;
    for (int i = 0; i < count; i++) {
        if (table[i].queue == queue)
            size++;
    }
    return size;
}

static int find(int queue, int n) {
    for (int i = 0; i < count; i++) {
        if (table[i].queue == queue) {
            if (n == 0)
                return i;
            n--;
        }
    }
    return NONE;
}

static int first_urgent(void) {
    for (int queue = HIGHEST; queue >= LOWEST; queue--) {
        int at = find(queue, 0);
        if (at != NONE)
            return at;
    }
    return NONE;
}

static Job remove_at(int at) {
    Job job = table[at];
    for (int i = at + 1; i < count; i++)
        table[i - 1] = table[i];
    count--;
    return job;
}

static void push(Job job, int queue) {
    job.queue = queue;
    if (queue != BLOCKED)
        job.home = queue;
    table[count] = job;
    count++;
}

static int by_ratio(int queue, double ratio) {
    int size = size_of(queue);
    if (ratio < 0 || ratio > 1 || size == 0)
        return NONE;
    int n = (int)(size * ratio);
    if (n == size)
        n--;
    return find(queue, n);
}

void schedule_start(void) {
    count = 0;
    created = 0;
}

void schedule_add(int queue) {
    if (queue < LOWEST || queue > HIGHEST || count >= JOBS)
        return;
    Job job = {created, queue, queue};
    created++;
    push(job, queue);
}

void schedule_promote(int queue, double ratio) {
    if (queue < LOWEST || queue >= HIGHEST)
        return;
    int at = by_ratio(queue, ratio);
    if (at != NONE)
        push(remove_at(at), queue + 1);
}

void schedule_block(void) {
    int at = first_urgent();
    if (at != NONE)
        push(remove_at(at), BLOCKED);
}

void schedule_unblock(double ratio) {
    int at = by_ratio(BLOCKED, ratio);
    if (at != NONE) {
        Job job = remove_at(at);
        push(job, job.home);
    }
}

void schedule_expire(void) {
    int at = first_urgent();
    if (at != NONE) {
        Job job = remove_at(at);
        push(job, job.queue);
    }
}

int schedule_finish(void) {
    int at = first_urgent();
    if (at == NONE)
        return NONE;
    return remove_at(at).id;
}
