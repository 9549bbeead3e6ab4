enum { MOST_WANTED = 15 };

int distinct_subsequences(const char *text, const char *wanted);
