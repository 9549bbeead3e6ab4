/* Where a pattern matches in a line. */
#ifndef MATCH_H
#define MATCH_H

#include "pattern.h"

enum { NO_MATCH = -1 };

/* The position behind the match that begins at `from`, each closure as long as possible; NO_MATCH if there is none. */
int match_at(const Pattern *pattern, const char *line, int from);

#endif
