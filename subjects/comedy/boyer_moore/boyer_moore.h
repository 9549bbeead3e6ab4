enum { MOST_PATTERN = 15 };

int boyer_moore(const char *text, const char *pattern, int *matches, int room);
