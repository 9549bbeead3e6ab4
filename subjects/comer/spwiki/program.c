/* The length of a shortest path (Dijkstra), -1 without one. */
enum { NODES = 32, NONE = 1000000000 };

int shortest_path(int weight[NODES][NODES], int n, int from, int to);

int shortest_path(int weight[NODES][NODES], int n, int from, int to) {
    int distance[NODES];
    int done[NODES];
    for (int i = 0; i < n; i++) {
        distance[i] = NONE;
        done[i] = 0;
    }
    distance[from] = 0;
    for (int round = 0; round < n; round++) {
        int nearest = -1;
        for (int i = 0; i < n; i++) {
            if (!done[i] && (nearest < 0 || distance[i] < distance[nearest]))
                nearest = i;
        }
        if (distance[nearest] == NONE)
            break;
        done[nearest] = 1;
        if (nearest == to)
            break;
        for (int i = 0; i < n; i++) {
            if (weight[nearest][i] > 0 && distance[nearest] + weight[nearest][i] < distance[i])
                distance[i] = distance[nearest] + weight[nearest][i];
        }
    }
    if (distance[to] == NONE)
        return -1;
    return distance[to];
}
