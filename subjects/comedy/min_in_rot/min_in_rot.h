int min_in_rot(const int *a, int n);
