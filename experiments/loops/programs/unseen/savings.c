/* A balance with interest and a yearly deposit. */
#include <twinrun.h>

static double savings(double balance, double deposit, double rate, int years) {
    for (int year = 0; year < years; year++) {
        balance = balance * (1 + rate);
        balance = balance + deposit;
    }
    return balance;
}

static double balance, deposit, rate;

static int draw(void) {
    balance = tw_f64("balance", 0, 1000);
    deposit = tw_f64("deposit", 0, 100);
    rate = tw_f64("rate", 0, 0.1);
    return tw_i32("years", 0, 100);
}

RELATION(true_twice) {
    int years = draw();
    double source = RUN(savings(balance, deposit, rate, years));
    double follow_up = RUN(savings(2 * balance, 2 * deposit, rate, years));
    CHECK_NEAR(follow_up, 2 * source, 1e-3);
}

RELATION(false_rate) {
    int years = draw();
    double source = RUN(savings(balance, deposit, rate, years));
    double follow_up = RUN(savings(balance, deposit, 2 * rate, years));
    CHECK_NEAR(follow_up, source, 10);
}
