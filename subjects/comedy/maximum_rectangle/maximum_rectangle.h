enum { MOST_SIDE = 8 };

typedef struct {
    int area;
    int height, width; /* of a largest one */
} Rectangle;

Rectangle maximum_rectangle(const char matrix[MOST_SIDE][MOST_SIDE], int rows, int columns);
