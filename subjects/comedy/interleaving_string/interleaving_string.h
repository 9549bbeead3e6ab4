#include <stdbool.h>

enum { MOST_LENGTH = 15 };

bool is_interleaving(const char *first, const char *second, const char *mixed);
