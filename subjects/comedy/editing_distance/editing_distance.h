enum { MOST_LENGTH = 15 };

/* What each edit costs. */
typedef struct {
    int insert, remove, substitute, exchange;
} Costs;

int editing_distance(const char *from, const char *to, const Costs *costs);
