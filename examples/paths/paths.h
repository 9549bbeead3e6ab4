/* Shortest paths in a road map: weight[u][v] is the length of the road from u to v, 0 if there is none. */
enum { MOST_PLACES = 8, UNREACHABLE = 1000000 };

int shortest_path(int n, const int weight[MOST_PLACES][MOST_PLACES], int from, int to);
