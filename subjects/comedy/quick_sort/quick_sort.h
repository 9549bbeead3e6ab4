void quick_sort(int *a, int n);
