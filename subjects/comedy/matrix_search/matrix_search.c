/* Searches a matrix whose rows and columns ascend. */
#include "matrix_search.h"

bool matrix_search(const int matrix[][MOST_COLUMNS], int rows, int columns, int key) {
    if (rows <= 0 || columns <= 0)
        return false;
    if (key < matrix[0][0])
        return false;
    if (key > matrix[rows - 1][columns - 1])
        return false;
    /* From the upper right corner, each step leaves out a row or a column. */
    int row = 0;
    int column = columns - 1;
    while (row < rows && column >= 0) {
        int value = matrix[row][column];
        if (value == key)
            return true;
        if (value < key)
            row++;
        else
            column--;
    }
    return false;
}
