/* A scheduler with three priorities and a queue of blocked jobs, as linked lists. */
enum { JOBS = 64, PRIORITIES = 4, NONE = -1 };

void schedule_start(void);
void schedule_add(int queue);
void schedule_promote(int queue, double ratio);
void schedule_block(void);
void schedule_unblock(double ratio);
void schedule_expire(void);
int schedule_finish(void);

typedef struct {
    int head, tail, length;
} List;

/* Queue 0 holds the blocked jobs, 3 the most urgent ones. */
static List queues[PRIORITIES];
static int next[JOBS];
static int priority[JOBS];
static int jobs;

static void append(List *list, int job) {
    next[job] = NONE;
    if (list->length == 0)
        list->head = job;
    else
        next[list->tail] = job;
    list->tail = job;
    list->length++;
}

/* Takes the n-th job out, counted from 0. */
static int take(List *list, int n) {
    int before = NONE;
    int job = list->head;
    if (n < 0 || n >= list->length)
        return NONE;
    for (int i = 0; i < n; i++) {
        before = job;
        job = next[job];
    }
    if (before == NONE)
        list->head = next[job];
    else
        next[before] = next[job];
    if (list->tail == job)
        list->tail = before;
    list->length--;
    return job;
}

static int place(const List *list, double ratio) {
    if (ratio < 0 || ratio > 1 || list->length == 0)
        return NONE;
    int n = (int)(ratio * list->length);
    if (n >= list->length)
        n = list->length - 1;
    return n;
}

static List *most_urgent(void) {
    for (int queue = PRIORITIES - 1; queue > 0; queue--) {
        if (queues[queue].length > 0)
            return &queues[queue];
    }
    return 0;
}

void schedule_start(void) {
    for (int queue = 0; queue < PRIORITIES; queue++) {
        queues[queue].head = NONE;
        queues[queue].tail = NONE;
        queues[queue].length = 0;
    }
    jobs = 0;
}

void schedule_add(int queue) {
    if (queue < 1 || queue >= PRIORITIES || jobs >= JOBS)
        return;
    priority[jobs] = queue;
    append(&queues[queue], jobs);
    jobs++;
}

void schedule_promote(int queue, double ratio) {
    if (queue < 1 || queue >= PRIORITIES - 1)
        return;
    int job = take(&queues[queue], place(&queues[queue], ratio));
    if (job == NONE)
        return;
    priority[job] = queue + 1;
    append(&queues[queue + 1], job);
}

void schedule_block(void) {
    List *list = most_urgent();
    if (list)
        append(&queues[0], take(list, 0));
}

void schedule_unblock(double ratio) {
    int job = take(&queues[0], place(&queues[0], ratio));
    if (job != NONE)
        append(&queues[priority[job]], job);
}

void schedule_expire(void) {
    List *list = most_urgent();
    if (list)
        append(list, take(list, 0));
}

int schedule_finish(void) {
    List *list = most_urgent();
    if (!list)
        return NONE;
    return take(list, 0);
}
