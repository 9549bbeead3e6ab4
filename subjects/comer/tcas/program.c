/* Advice to a pilot in a conflict of traffic: none (0), climb (1) or descend (2). */
typedef struct {
    int vertical_separation, high_confidence, valid_reports, own_altitude, own_rate, other_altitude, layer, up, down, intention,
        capability, climb_inhibit;
} Situation;

int advice(const Situation *s);

enum { LEAST_VERTICAL = 300, FASTEST = 600, CLIMB_BONUS = 100, LEAST_TURN = 300, HAS_SYSTEM = 1, NO_INTENTION = 0 };

static const int thresholds[] = {400, 500, 640, 740};

static int threshold(const Situation *s) {
    return thresholds[s->layer];
}

static int biased_climb(const Situation *s) {
    if (s->climb_inhibit)
        return s->up + CLIMB_BONUS;
    return s->up;
}

static int own_below(const Situation *s) {
    return s->own_altitude < s->other_altitude;
}

static int own_above(const Situation *s) {
    return s->other_altitude < s->own_altitude;
}

static int climb_is_free(const Situation *s) {
    int upward = biased_climb(s) > s->down;
    if (upward)
        return !own_below(s) || (own_below(s) && !(s->down >= threshold(s)));
    return own_above(s) && s->vertical_separation >= LEAST_TURN && s->up >= threshold(s);
}

static int descent_is_free(const Situation *s) {
    int upward = biased_climb(s) > s->down;
    if (upward)
        return own_below(s) && s->vertical_separation >= LEAST_TURN && s->down >= threshold(s);
    return !own_above(s) || (own_above(s) && s->up >= threshold(s));
}

int advice(const Situation *s) {
    int enabled = s->high_confidence && s->own_rate <= FASTEST && s->vertical_separation > LEAST_VERTICAL;
    int equipped = s->capability == HAS_SYSTEM;
    int unknown = s->valid_reports && s->intention == NO_INTENTION;
    if (!enabled || !((equipped && unknown) || !equipped))
        return 0;
    int climb = climb_is_free(s) && own_below(s);
    int descend = descent_is_free(s) && own_above(s);
    if (climb && descend)
        return 0;
    if (climb)
        return 1;
    if (descend)
        return 2;
    return 0;
}
