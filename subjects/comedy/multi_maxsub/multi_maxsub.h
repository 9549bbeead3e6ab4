enum { MOST_SEGMENTS = 4 };

int multi_maxsub(const int *a, int n, int segments);
