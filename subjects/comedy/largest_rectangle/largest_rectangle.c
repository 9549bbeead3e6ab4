/* The largest rectangle under a histogram; negative bars count as none; -1 if there are too many bars. */
#include "largest_rectangle.h"

typedef struct {
    int bars[MOST_BARS];
    int size;
} Stack;

static void push(Stack *stack, int bar) {
    stack->bars[stack->size] = bar;
    stack->size++;
}

static int pop(Stack *stack) {
    stack->size--;
    return stack->bars[stack->size];
}

static int top(const Stack *stack) {
    return stack->bars[stack->size - 1];
}

static int is_empty(const Stack *stack) {
    return stack->size == 0;
}

static int height_of(const int *heights, int bar) {
    if (heights[bar] < 0)
        return 0;
    return heights[bar];
}

/* The rectangle as high as the bar on top of the stack, whose right neighbour is the first lower one. */
static int close_rectangle(Stack *stack, const int *heights, int right) {
    int height = height_of(heights, pop(stack));
    int left = -1;
    if (!is_empty(stack))
        left = top(stack);
    return height * (right - left - 1);
}

int largest_rectangle(const int *heights, int n) {
    Stack rising;
    rising.size = 0;
    int best = 0;

    if (n > MOST_BARS)
        return -1;

    for (int bar = 0; bar < n; bar++) {
        int height = height_of(heights, bar);
        while (!is_empty(&rising)) {
            if (height_of(heights, top(&rising)) <= height)
                break;
            int area = close_rectangle(&rising, heights, bar);
            if (area > best)
                best = area;
        }
        push(&rising, bar);
    }
    while (!is_empty(&rising)) {
        int area = close_rectangle(&rising, heights, n);
        if (area > best)
            best = area;
    }
    return best;
}
