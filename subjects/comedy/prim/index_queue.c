#include "index_queue.h"

bool queue_init(IndexQueue *queue, int room) {
    if (room < 1)
        return false;
    if (room > QUEUE_ROOM)
        return false;
    queue->room = room;
    queue->size = 0;
    for (int index = 0; index < room; index++) {
        queue->place[index] = NO_INDEX;
        queue->keys[index] = 0;
    }
    return true;
}

bool queue_is_empty(const IndexQueue *queue) {
    return queue->size == 0;
}

int queue_size(const IndexQueue *queue) {
    return queue->size;
}

static bool is_index(const IndexQueue *queue, int index) {
    if (index < 0)
        return false;
    if (index >= queue->room)
        return false;
    return true;
}

bool queue_contains(const IndexQueue *queue, int index) {
    if (!is_index(queue, index))
        return false;
    return queue->place[index] != NO_INDEX;
}

/* ---- The heap ---- */

static bool is_greater(const IndexQueue *queue, int i, int j) {
    return queue->keys[queue->heap[i]] > queue->keys[queue->heap[j]];
}

static void exchange(IndexQueue *queue, int i, int j) {
    int kept = queue->heap[i];
    queue->heap[i] = queue->heap[j];
    queue->heap[j] = kept;
    queue->place[queue->heap[i]] = i;
    queue->place[queue->heap[j]] = j;
}

static void swim(IndexQueue *queue, int i) {
    while (i > 1) {
        int parent = i / 2;
        if (!is_greater(queue, parent, i))
            break;
        exchange(queue, parent, i);
        i = parent;
    }
}

static void sink(IndexQueue *queue, int i) {
    while (2 * i <= queue->size) {
        int child = 2 * i;
        if (child < queue->size) {
            if (is_greater(queue, child, child + 1))
                child++;
        }
        if (!is_greater(queue, i, child))
            break;
        exchange(queue, i, child);
        i = child;
    }
}

/* ---- Operations ---- */

bool queue_insert(IndexQueue *queue, int index, int key) {
    if (!is_index(queue, index))
        return false;
    if (queue_contains(queue, index))
        return false;
    queue->size++;
    queue->place[index] = queue->size;
    queue->heap[queue->size] = index;
    queue->keys[index] = key;
    swim(queue, queue->size);
    return true;
}

int queue_least_index(const IndexQueue *queue) {
    if (queue_is_empty(queue))
        return NO_INDEX;
    return queue->heap[1];
}

int queue_least_key(const IndexQueue *queue) {
    if (queue_is_empty(queue))
        return 0;
    return queue->keys[queue->heap[1]];
}

int queue_take_least(IndexQueue *queue) {
    if (queue_is_empty(queue))
        return NO_INDEX;
    int least = queue->heap[1];
    exchange(queue, 1, queue->size);
    queue->size--;
    sink(queue, 1);
    queue->place[least] = NO_INDEX;
    return least;
}

int queue_key(const IndexQueue *queue, int index) {
    if (!queue_contains(queue, index))
        return 0;
    return queue->keys[index];
}

bool queue_change(IndexQueue *queue, int index, int key) {
    if (!queue_contains(queue, index))
        return false;
    queue->keys[index] = key;
    swim(queue, queue->place[index]);
    sink(queue, queue->place[index]);
    return true;
}

bool queue_decrease(IndexQueue *queue, int index, int key) {
    if (!queue_contains(queue, index))
        return false;
    if (queue->keys[index] <= key)
        return false;
    queue->keys[index] = key;
    swim(queue, queue->place[index]);
    return true;
}

bool queue_increase(IndexQueue *queue, int index, int key) {
    if (!queue_contains(queue, index))
        return false;
    if (queue->keys[index] >= key)
        return false;
    queue->keys[index] = key;
    sink(queue, queue->place[index]);
    return true;
}

bool queue_remove(IndexQueue *queue, int index) {
    if (!queue_contains(queue, index))
        return false;
    int at = queue->place[index];
    exchange(queue, at, queue->size);
    queue->size--;
    queue->place[index] = NO_INDEX;
    if (at <= queue->size) {
        swim(queue, at);
        sink(queue, at);
    }
    return true;
}

bool queue_is_heap(const IndexQueue *queue) {
    for (int i = 1; i <= queue->size; i++) {
        if (queue->place[queue->heap[i]] != i)
            return false;
        if (i > 1) {
            if (is_greater(queue, i / 2, i))
                return false;
        }
    }
    return true;
}
