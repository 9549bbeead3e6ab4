/* From the text of an extended regular expression to its tree. */
#ifndef PARSER_H
#define PARSER_H

#include "tree.h"

/* Null after an error, which *error then describes. */
Node *parse_regex(Forest *forest, const char *pattern, int length, bool ignore_case, const char **error);
/* Each line of a fixed pattern stands for itself. */
Node *parse_fixed(Forest *forest, const char *pattern, int length, bool ignore_case);

#endif
