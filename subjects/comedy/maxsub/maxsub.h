int maxsub(const int *a, int n);
