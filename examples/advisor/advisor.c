/* Advises a pilot how to avoid an approaching aircraft: climb, descend, or no advice. It is written after the logic of the airborne
 * collision-avoidance system as published with the `tcas` program of the Siemens suite (Hutchins et al., 1994; equations in Xie et
 * al., "Metamorphic slice", 2013).
 *
 * -DFAULTY gives the bonus when climbing is *not* inhibited. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_ALT_RATE = 600, MIN_SEPARATION = 600, NOT_CLIMBING_BONUS = 100, LAYERS = 4 };
enum { TCAS_EQUIPPED = 1, NO_INTENT = 0 };
enum advice { UNRESOLVED = 0, UPWARD = 1, DOWNWARD = 2 };

/* The separation at the closest approach that is adequate, for each layer of altitude. */
static const int adequate_separation[LAYERS] = {400, 500, 640, 740};

typedef struct {
    int vertical_separation;
    bool high_confidence;
    bool two_of_three_reports_valid;
    int own_altitude;
    int own_altitude_rate;
    int other_altitude;
    int layer;
    int up_separation;   /* at the closest approach if we climb */
    int down_separation; /* … if we descend */
    int other_intent;
    int other_capability;
    bool climb_inhibited;
} Situation;

static bool advice_is_due(const Situation *s) {
    bool dangerous = s->high_confidence && s->own_altitude_rate <= MAX_ALT_RATE && s->vertical_separation > MIN_SEPARATION;
    bool equipped = s->other_capability == TCAS_EQUIPPED;
    bool intent_unknown = s->two_of_three_reports_valid && s->other_intent == NO_INTENT;
    return dangerous && (!equipped || intent_unknown);
}

static bool upward_preferred(const Situation *s) {
#ifdef FAULTY
    if (!s->climb_inhibited)
#else
    if (s->climb_inhibited)
#endif
        return s->up_separation + NOT_CLIMBING_BONUS > s->down_separation;
    return s->up_separation > s->down_separation;
}

static enum advice advise(const Situation *s) {
    if (!advice_is_due(s))
        return UNRESOLVED;
    int adequate = adequate_separation[s->layer];
    if (upward_preferred(s)) {
        if (s->own_altitude < s->other_altitude && s->down_separation < adequate)
            return UPWARD;
    } else if (s->other_altitude < s->own_altitude && s->up_separation >= adequate)
        return DOWNWARD;
    return UNRESOLVED;
}

int main(int argc, char **argv) {
    if (argc != 13) {
        fprintf(stderr, "usage: advisor SEPARATION CONFIDENCE VALID OWN_ALTITUDE OWN_RATE OTHER_ALTITUDE LAYER UP DOWN INTENT CAPABILITY INHIBITED\n");
        return 2;
    }
    Situation s = {
        .vertical_separation = atoi(argv[1]),
        .high_confidence = atoi(argv[2]) != 0,
        .two_of_three_reports_valid = atoi(argv[3]) != 0,
        .own_altitude = atoi(argv[4]),
        .own_altitude_rate = atoi(argv[5]),
        .other_altitude = atoi(argv[6]),
        .layer = atoi(argv[7]),
        .up_separation = atoi(argv[8]),
        .down_separation = atoi(argv[9]),
        .other_intent = atoi(argv[10]),
        .other_capability = atoi(argv[11]),
        .climb_inhibited = atoi(argv[12]) != 0,
    };
    if (s.layer < 0 || s.layer >= LAYERS) {
        fprintf(stderr, "advisor: no such layer: %s\n", argv[7]);
        return 2;
    }
    printf("%d\n", advise(&s));
    return 0;
}
