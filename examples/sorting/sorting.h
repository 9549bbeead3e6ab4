/* Sorts in ascending order, in place. */
void shell_sort(int *a, int n);
