#include <stdbool.h>

enum { MOST_COLUMNS = 6 };

bool matrix_search(const int matrix[][MOST_COLUMNS], int rows, int columns, int key);
