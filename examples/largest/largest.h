/* The largest of n numbers, n at least 1. */
int largest(const int *numbers, int n);
