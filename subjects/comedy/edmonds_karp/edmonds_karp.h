/* The greatest flow through a network of pipes. */
#include <stdbool.h>

enum { MOST_VERTICES = 10, MOST_PIPES = 40, NO_ARC = -1 };

typedef struct {
    int from, to, capacity;
} Pipe;

/* Every pipe is two arcs, number 2i with its direction and 2i + 1 against it: the partner of arc a is a ^ 1. */
typedef struct {
    int to;
    int capacity;
    int flow;
    int next; /* arc that leaves the same vertex */
} Arc;

typedef struct {
    int vertices;
    int arc_count;
    Arc arcs[2 * MOST_PIPES];
    int first_arc[MOST_VERTICES];
} Network;

typedef enum { OK, BAD_SIZE, BAD_VERTEX, BAD_CAPACITY, BROKEN } Status;

typedef struct {
    Status status;
    int flow;
    int cut;     /* the capacity of the pipes out of the source's side of a least cut */
    int rounds;  /* how many augmenting paths it took */
} Answer;

Status network_build(Network *network, int vertices, const Pipe *pipes, int count);
Answer maximum_flow(int vertices, const Pipe *pipes, int count, int source, int sink);
