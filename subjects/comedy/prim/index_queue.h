/* A priority queue of indices with keys that can change: the least key comes first. */
#ifndef INDEX_QUEUE_H
#define INDEX_QUEUE_H

#include <stdbool.h>

enum { QUEUE_ROOM = 12, NO_INDEX = -1 };

typedef struct {
    int room;
    int size;
    int heap[QUEUE_ROOM + 1]; /* indices, from 1; the children of i are 2i and 2i + 1 */
    int place[QUEUE_ROOM];    /* of each index in the heap; NO_INDEX if it is not there */
    int keys[QUEUE_ROOM];
} IndexQueue;

bool queue_init(IndexQueue *queue, int room);
bool queue_is_empty(const IndexQueue *queue);
int queue_size(const IndexQueue *queue);
bool queue_contains(const IndexQueue *queue, int index);
bool queue_insert(IndexQueue *queue, int index, int key);
int queue_least_index(const IndexQueue *queue);
int queue_least_key(const IndexQueue *queue);
/* Takes the index with the least key out; NO_INDEX if the queue is empty. */
int queue_take_least(IndexQueue *queue);
int queue_key(const IndexQueue *queue, int index);
bool queue_change(IndexQueue *queue, int index, int key);
/* Only to a smaller (larger) key. */
bool queue_decrease(IndexQueue *queue, int index, int key);
bool queue_increase(IndexQueue *queue, int index, int key);
bool queue_remove(IndexQueue *queue, int index);
/* Is no child less than its parent, and every index where its place says? */
bool queue_is_heap(const IndexQueue *queue);

#endif
