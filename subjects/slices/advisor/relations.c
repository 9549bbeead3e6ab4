/* The first three relations are published (Xie et al., 2013): the follow-up's inputs depend on the source's output. */
#include <stdio.h>
#include <stdlib.h>

#include <twinrun.h>

enum { UNRESOLVED = 0, UPWARD = 1, DOWNWARD = 2, INPUTS = 12 };
enum { SEPARATION, CONFIDENCE, VALID, OWN_ALTITUDE, OWN_RATE, OTHER_ALTITUDE, LAYER, UP, DOWN, INTENT, CAPABILITY, INHIBITED };

/* Most situations call for no advice at all: every other case is drawn where one is likely. */
static void draw(int *in) {
    if (tw_bool("dangerous")) {
        in[SEPARATION] = tw_i32("separation", 590, 1200);
        in[CONFIDENCE] = 1;
        in[VALID] = 1;
        in[OWN_ALTITUDE] = tw_i32("own_altitude", 0, 1000);
        in[OWN_RATE] = tw_i32("own_rate", 0, 610);
        in[OTHER_ALTITUDE] = tw_i32("other_altitude", 0, 1000);
        in[LAYER] = tw_i32("layer", 0, 3);
        in[UP] = tw_i32("up", 300, 1000);
        in[DOWN] = tw_i32("down", 300, 1000);
        in[INTENT] = 0;
        in[CAPABILITY] = tw_i32("capability", 1, 2);
        in[INHIBITED] = tw_bool("inhibited");
        return;
    }
    in[SEPARATION] = tw_i32("separation", 0, 1200);
    in[CONFIDENCE] = tw_bool("confidence");
    in[VALID] = tw_bool("valid");
    in[OWN_ALTITUDE] = tw_i32("own_altitude", 0, 1000);
    in[OWN_RATE] = tw_i32("own_rate", 0, 1000);
    in[OTHER_ALTITUDE] = tw_i32("other_altitude", 0, 1000);
    in[LAYER] = tw_i32("layer", 0, 3);
    in[UP] = tw_i32("up", 0, 1000);
    in[DOWN] = tw_i32("down", 0, 1000);
    in[INTENT] = tw_i32("intent", 0, 2);
    in[CAPABILITY] = tw_i32("capability", 1, 2);
    in[INHIBITED] = tw_bool("inhibited");
}

static int run(const int *in) {
    char text[INPUTS][12], out[16];
    tw_arg arguments[INPUTS];
    for (int i = 0; i < INPUTS; i++) {
        snprintf(text[i], sizeof text[i], "%d", in[i]);
        arguments[i] = TW_STR(text[i]);
    }
    GIVEN_I32S("arguments", in, INPUTS);
    int exit_code = tw_run_program(arguments, INPUTS, "", 0, out, sizeof out);
    CHECK_EQ(exit_code, 0);
    int advice = atoi(out);
    OUTPUT("advice", advice);
    return advice;
}

/* The two aircraft move towards their mean altitude, in the same order. */
RELATION(altitudes) {
    int in[INPUTS];
    draw(in);
    int source = run(in);
    int mean = (in[OWN_ALTITUDE] + in[OTHER_ALTITUDE]) / 2;
    int step = source == UPWARD ? 1 : source == DOWNWARD ? -1 : 0;
    in[OWN_ALTITUDE] = mean - step;
    in[OTHER_ALTITUDE] = mean + step;
    int follow_up = run(in);
    CHECK_EQ(source, follow_up);
}

/* The separations change so that the same advice gets more pressing. */
RELATION(separations) {
    int in[INPUTS];
    draw(in);
    int by = tw_i32("by", 1, 500), down_by = tw_i32("down_by", 1, 500);
    int source = run(in);
    if (source == UPWARD) in[DOWN] -= by;
    else if (source == DOWNWARD) {
        in[UP] += by;
        ASSUME(in[UP] + (in[INHIBITED] ? 100 : 0) <= in[DOWN]);
    } else {
        int bonus = in[INHIBITED] ? 100 : 0;
        bool upward = in[UP] + bonus > in[DOWN];
        in[UP] -= by;
        in[DOWN] += down_by;
        ASSUME((in[UP] + bonus > in[DOWN]) == upward);
    }
    int follow_up = run(in);
    CHECK_EQ(source, follow_up);
}

/* Another layer of altitude, whose threshold keeps the advice. */
RELATION(layer) {
    int in[INPUTS];
    draw(in);
    int source = run(in);
    if (source == UPWARD || (source == UNRESOLVED && in[OWN_ALTITUDE] > in[OTHER_ALTITUDE])) in[LAYER]++;
    else in[LAYER]--;
    ASSUME(0 <= in[LAYER] && in[LAYER] <= 3);
    int follow_up = run(in);
    CHECK_EQ(source, follow_up);
}

/* An aircraft without the system tells no intent: reports of it do not matter. */
RELATION(intent_of_unequipped) {
    int in[INPUTS];
    draw(in);
    in[CAPABILITY] = 2;
    int intent = tw_i32("other_intent", 0, 2);
    bool valid = tw_bool("other_valid");
    int source = run(in);
    in[INTENT] = intent;
    in[VALID] = valid;
    int follow_up = run(in);
    CHECK_EQ(source, follow_up);
}

/* Both aircraft higher by the same. */
RELATION(higher) {
    int in[INPUTS];
    draw(in);
    int by = tw_i32("by", -1000, 1000);
    int source = run(in);
    in[OWN_ALTITUDE] += by;
    in[OTHER_ALTITUDE] += by;
    int follow_up = run(in);
    CHECK_EQ(source, follow_up);
}

/* Advice that is given is given in a more certain and more pressing situation too. */
RELATION(more_certain) {
    int in[INPUTS];
    draw(in);
    int slower = tw_i32("slower", 0, 500), farther = tw_i32("farther", 0, 500);
    int source = run(in);
    ASSUME(source != UNRESOLVED);
    in[CONFIDENCE] = 1;
    in[VALID] = 1;
    in[INTENT] = 0;
    in[OWN_RATE] -= slower;
    in[SEPARATION] += farther;
    int follow_up = run(in);
    CHECK_EQ(source, follow_up);
}

/* Where climbing is not inhibited, it cannot be the better way both before and after the two separations are exchanged. */
RELATION(not_both_upward) {
    int in[INPUTS];
    draw(in);
    in[INHIBITED] = 0;
    int source = run(in);
    int up = in[UP];
    in[UP] = in[DOWN];
    in[DOWN] = up;
    int follow_up = run(in);
    CHECK(source != UPWARD || follow_up != UPWARD);
}

/* One reason against advice is as good as any other. */
static void silence(int *in, int reason, int by) {
    switch (reason) {
    case 0: in[CONFIDENCE] = 0; break;
    case 1: in[OWN_RATE] = 600 + by; break;
    case 2: in[SEPARATION] = 601 - by; break;
    case 3: in[CAPABILITY] = 1, in[INTENT] = 1 + by % 2; break;
    default: in[CAPABILITY] = 1, in[VALID] = 0;
    }
}

RELATION(reasons_against) {
    int in[INPUTS], other[INPUTS];
    draw(in);
    TW_COPY(other, in, INPUTS);
    silence(in, tw_choice("reason", 5), tw_i32("by", 1, 500));
    silence(other, tw_choice("other_reason", 5), tw_i32("other_by", 1, 500));
    int source = run(in);
    int follow_up = run(other);
    CHECK_EQ(source, follow_up);
}

/* An aircraft without the system is treated like one whose intent is known to be none. */
RELATION(unequipped_has_no_intent) {
    int in[INPUTS];
    draw(in);
    in[CAPABILITY] = 2;
    int source = run(in);
    in[CAPABILITY] = 1;
    in[VALID] = 1;
    in[INTENT] = 0;
    int follow_up = run(in);
    CHECK_EQ(source, follow_up);
}
