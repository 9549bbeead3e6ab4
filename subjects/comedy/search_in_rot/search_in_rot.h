int search_in_rot(const int *a, int n, int key);
