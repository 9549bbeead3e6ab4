int first_missing_positive(int *a, int n);
