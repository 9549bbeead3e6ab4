#include "kernels.h"

/* Kadane's maximum sub-array sum. */
int maxsub(const int *a, int n) {
    int best = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (sum < 0)
            sum = 0;
        if (sum > best)
            best = sum;
    }
    return best;
}

void insertion_sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

/* Characters, `.` and `*` after either; the whole text must match. */
int matches(const char *pattern, const char *text) {
    if (*pattern == 0)
        return *text == 0;
    int first = *text != 0 && (*pattern == *text || *pattern == '.');
    if (pattern[1] == '*')
        return matches(pattern + 2, text) || (first && matches(pattern, text + 1));
    return first && matches(pattern + 1, text + 1);
}

/* Bellman and Ford on an n × n matrix of weights, 0 for no edge. */
int shortest(const int *weight, int n, int from, int to) {
    int distance[16];
    for (int i = 0; i < n; i++)
        distance[i] = i == from ? 0 : 1 << 20;
    for (int round = 1; round < n; round++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int w = weight[i * n + j];
                if (w > 0 && distance[i] + w < distance[j])
                    distance[j] = distance[i] + w;
            }
    return distance[to];
}
