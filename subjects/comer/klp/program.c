/* How many keys open all locks, taking the key that opens the most closed locks each time; -1 when they cannot. */
enum { SIDE = 34 };

int keys_needed(char opens[SIDE][SIDE], int keys, int locks);

int keys_needed(char opens[SIDE][SIDE], int keys, int locks) {
    char open[SIDE];
    for (int lock = 0; lock < locks; lock++)
        open[lock] = 0;
    int closed = locks;
    int used = 0;
    while (closed > 0) {
        int best = -1;
        int most = 0;
        for (int key = 0; key < keys; key++) {
            int count = 0;
            for (int lock = 0; lock < locks; lock++) {
                if (!open[lock] && opens[key][lock])
                    count++;
            }
            if (count > most) {
                most = count;
                best = key;
            }
        }
        if (best < 0)
            return -1;
        for (int lock = 0; lock < locks; lock++) {
            if (!open[lock] && opens[best][lock]) {
                open[lock] = 1;
                closed--;
            }
        }
        used++;
    }
    return used;
}
