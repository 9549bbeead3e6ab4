/* The largest rectangle of ones: heights of columns row by row, and a stack of rising heights. */
enum { SIDE = 34 };

int max_rectangle(char board[SIDE][SIDE], int rows, int columns);

static int largest(const int *heights, int columns) {
    int stack[SIDE + 1];
    int top = 0;
    int best = 0;
    for (int i = 0; i <= columns; i++) {
        int height = i < columns ? heights[i] : 0;
        while (top > 0 && heights[stack[top - 1]] >= height) {
            top--;
            int width = top > 0 ? i - stack[top - 1] - 1 : i;
            int area = heights[stack[top]] * width;
            if (area > best)
                best = area;
        }
        stack[top++] = i;
    }
    return best;
}

int max_rectangle(char board[SIDE][SIDE], int rows, int columns) {
    int heights[SIDE + 1];
    int best = 0;
    for (int j = 0; j <= columns; j++)
        heights[j] = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            if (board[i][j] == '1')
                heights[j]++;
            else
                heights[j] = 0;
        }
        int area = largest(heights, columns);
        if (area > best)
            best = area;
    }
    return best;
}
