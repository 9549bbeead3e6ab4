enum { MOST_SIDE = 8 };

void capture_surrounded(char board[MOST_SIDE][MOST_SIDE], int rows, int columns);
