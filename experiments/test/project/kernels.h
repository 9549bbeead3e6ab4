int maxsub(const int *a, int n);
void insertion_sort(int *a, int n);
int matches(const char *pattern, const char *text);
int shortest(const int *weight, int n, int from, int to);
