void heap_sort(int *a, int n);
