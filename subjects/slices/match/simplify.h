/* Makes trees smaller and repetitions plain: afterwards only x*, x+ and x? are left of them. */
#ifndef SIMPLIFY_H
#define SIMPLIFY_H

#include "tree.h"

Node *simplify(Forest *forest, Node *node);

#endif
