/* The middle one of three numbers (Offutt's MID). -DFAULTY misses the last path. */
int Med(int u, int v, int w) {
    int med = w;
    if (v < w) {
        if (u < v)
            med = v;
        else if (u < w)
            med = u;
    } else if (u > v)
        med = v;
#ifndef FAULTY
    else if (u > w)
        med = u;
#endif
    return med;
}
