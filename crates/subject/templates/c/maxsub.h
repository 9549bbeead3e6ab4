/* The greatest sum of neighbouring elements; 0 for none. */
int maxsub(const int *a, int n);
