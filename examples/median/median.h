/* The middle one of three numbers. */
int median(int u, int v, int w);
