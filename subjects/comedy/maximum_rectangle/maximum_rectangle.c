/* The largest rectangle of ones in a matrix of zeros and ones. */
#include "maximum_rectangle.h"

typedef struct {
    int columns[MOST_SIDE + 1];
    int size;
} Stack;

static void push(Stack *stack, int column) {
    stack->columns[stack->size] = column;
    stack->size++;
}

static int pop(Stack *stack) {
    stack->size--;
    return stack->columns[stack->size];
}

static int top(const Stack *stack) {
    return stack->columns[stack->size - 1];
}

static int is_empty(const Stack *stack) {
    return stack->size == 0;
}

static void reset(int *heights, int columns) {
    for (int column = 0; column < columns; column++)
        heights[column] = 0;
}

/* How many ones stand above each other in each column, up to and with this row. */
static void grow(int *heights, const char *row, int columns) {
    for (int column = 0; column < columns; column++) {
        if (row[column] == '1')
            heights[column] = heights[column] + 1;
        else
            heights[column] = 0;
    }
}

static void keep_larger(Rectangle *best, int height, int width) {
    int area = height * width;
    if (area > best->area) {
        best->area = area;
        best->height = height;
        best->width = width;
    }
}

/* The largest rectangle below the heights; the stack holds columns of rising height. */
static void largest_below(const int *heights, int columns, Rectangle *best) {
    Stack rising;
    rising.size = 0;
    int column = 0;
    while (column <= columns) {
        int height = 0;
        if (column < columns)
            height = heights[column];
        if (is_empty(&rising)) {
            push(&rising, column);
            column++;
            continue;
        }
        if (column < columns) {
            if (heights[top(&rising)] <= height) {
                push(&rising, column);
                column++;
                continue;
            }
        }
        int closed = pop(&rising);
        if (closed == columns)
            break;
        int width = column;
        if (!is_empty(&rising))
            width = column - top(&rising) - 1;
        keep_larger(best, heights[closed], width);
    }
}

Rectangle maximum_rectangle(const char matrix[MOST_SIDE][MOST_SIDE], int rows, int columns) {
    int heights[MOST_SIDE];
    Rectangle best;
    best.area = 0;
    best.height = 0;
    best.width = 0;

    if (rows <= 0 || columns <= 0)
        return best;
    if (rows > MOST_SIDE || columns > MOST_SIDE)
        return best;

    reset(heights, columns);
    for (int row = 0; row < rows; row++) {
        grow(heights, matrix[row], columns);
        largest_below(heights, columns, &best);
    }
    return best;
}
