enum { MOST_BARS = 15 };

int largest_rectangle(const int *heights, int n);
