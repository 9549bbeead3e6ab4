enum { MOST_NODES = 15, ABSENT = -1000 };

int max_tree_path_sum(const int *values, int n);
