/* advisor: reads twelve numbers about an approaching aircraft from its arguments and advises to climb (1), to descend (2), or gives
 * no advice (0).
 *
 * Written after the equations (1) to (6) of Xie et al., "Metamorphic slice" (2013), for the program tcas of the Siemens suite. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { OLEV = 600, MAXALTDIFF = 600, MINSEP = 300, NOZCROSS = 100 };
enum { NO_INTENT = 0, DO_NOT_CLIMB = 1, DO_NOT_DESCEND = 2 };
enum { TCAS_TA = 1, OTHER = 2 };
enum { UNRESOLVED = 0, UPWARD_RA = 1, DOWNWARD_RA = 2 };
enum { LAYERS = 4 };

static int Cur_Vertical_Sep;
static bool High_Confidence;
static bool Two_of_Three_Reports_Valid;
static int Own_Tracked_Alt;
static int Own_Tracked_Alt_Rate;
static int Other_Tracked_Alt;
static int Alt_Layer_Value;
static int Positive_RA_Alt_Thresh[LAYERS];
static int Up_Separation;
static int Down_Separation;
static int Other_RAC;
static int Other_Capability;
static int Climb_Inhibit;

static void initialize(void) {
    Positive_RA_Alt_Thresh[0] = 400;
    Positive_RA_Alt_Thresh[1] = 500;
    Positive_RA_Alt_Thresh[2] = 640;
    Positive_RA_Alt_Thresh[3] = 740;
}

/* The separation that is adequate in this layer of altitude. */
static int adequate_separation(void) {
    return Positive_RA_Alt_Thresh[Alt_Layer_Value];
}

/* Climbing gets a bonus where it is inhibited, so that descending has to be better by more. */
static int inhibit_biased_climb(void) {
    if (Climb_Inhibit)
        return Up_Separation + NOZCROSS;
    return Up_Separation;
}

static bool own_below_threat(void) {
    return Own_Tracked_Alt < Other_Tracked_Alt;
}

static bool own_above_threat(void) {
    return Other_Tracked_Alt < Own_Tracked_Alt;
}

/* B */
static bool upward_preferred(void) {
    return inhibit_biased_climb() > Down_Separation;
}

/* B and C */
static bool non_crossing_climb(void) {
    if (!upward_preferred())
        return false;
    if (!own_below_threat())
        return false;
    return Down_Separation < adequate_separation();
}

/* not B and D */
static bool non_crossing_descend(void) {
    if (upward_preferred())
        return false;
    if (!own_above_threat())
        return false;
    return Up_Separation >= adequate_separation();
}

/* A */
static bool advice_enabled(void) {
    bool enabled = High_Confidence && Own_Tracked_Alt_Rate <= OLEV && Cur_Vertical_Sep > MAXALTDIFF;
    bool equipped = Other_Capability == TCAS_TA;
    bool intent_not_known = Two_of_Three_Reports_Valid && Other_RAC == NO_INTENT;
    if (!enabled)
        return false;
    return (equipped && intent_not_known) || !equipped;
}

static int alt_sep_test(void) {
    int alt_sep = UNRESOLVED;
    if (advice_enabled()) {
        bool need_upward = non_crossing_climb();
        bool need_downward = non_crossing_descend();
        if (need_upward && need_downward)
            alt_sep = UNRESOLVED;
        else if (need_upward)
            alt_sep = UPWARD_RA;
        else if (need_downward)
            alt_sep = DOWNWARD_RA;
        else
            alt_sep = UNRESOLVED;
    }
    return alt_sep;
}

static bool are_legal(void) {
    if (Alt_Layer_Value < 0 || Alt_Layer_Value >= LAYERS)
        return false;
    if (Other_RAC < NO_INTENT || Other_RAC > DO_NOT_DESCEND)
        return false;
    return Other_Capability == TCAS_TA || Other_Capability == OTHER;
}

int main(int argc, char *argv[]) {
    if (argc != 13) {
        fprintf(stdout, "usage: advisor Cur_Vertical_Sep High_Confidence Two_of_Three_Reports_Valid Own_Tracked_Alt "
                        "Own_Tracked_Alt_Rate Other_Tracked_Alt Alt_Layer_Value Up_Separation Down_Separation Other_RAC "
                        "Other_Capability Climb_Inhibit\n");
        return 1;
    }
    initialize();
    Cur_Vertical_Sep = atoi(argv[1]);
    High_Confidence = atoi(argv[2]) == 1;
    Two_of_Three_Reports_Valid = atoi(argv[3]) == 1;
    Own_Tracked_Alt = atoi(argv[4]);
    Own_Tracked_Alt_Rate = atoi(argv[5]);
    Other_Tracked_Alt = atoi(argv[6]);
    Alt_Layer_Value = atoi(argv[7]);
    Up_Separation = atoi(argv[8]);
    Down_Separation = atoi(argv[9]);
    Other_RAC = atoi(argv[10]);
    Other_Capability = atoi(argv[11]);
    Climb_Inhibit = atoi(argv[12]) == 1;
    if (!are_legal()) {
        fprintf(stdout, "illegal input\n");
        return 1;
    }
    fprintf(stdout, "%d\n", alt_sep_test());
    return 0;
}
