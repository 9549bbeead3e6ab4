#include "paths.h"

#include <stdbool.h>

/* Dijkstra's algorithm. -DFAULTY never improves a distance once it is known. */
int shortest_path(int n, const int weight[MOST_PLACES][MOST_PLACES], int from, int to) {
    int distance[MOST_PLACES];
    bool done[MOST_PLACES] = {false};
    for (int v = 0; v < n; v++)
        distance[v] = UNREACHABLE;
    distance[from] = 0;
    for (int round = 0; round < n; round++) {
        int nearest = -1;
        for (int v = 0; v < n; v++)
            if (!done[v] && (nearest < 0 || distance[v] < distance[nearest]))
                nearest = v;
        if (nearest == to || distance[nearest] == UNREACHABLE)
            break;
        done[nearest] = true;
        for (int v = 0; v < n; v++) {
            if (weight[nearest][v] == 0)
                continue;
            int through = distance[nearest] + weight[nearest][v];
#ifdef FAULTY
            if (distance[v] == UNREACHABLE)
#else
            if (through < distance[v])
#endif
                distance[v] = through;
        }
    }
    return distance[to];
}
