//! Claims that must not be made: relations that fail on few inputs, each by something that a proof could overlook.

use crate::common::{bare, source};
use twinrun_prove::{Report, Verdict, prove};

/// A function of integers that stands for any, of two numbers.
const ANY: &str = r#"
#include <twinrun.h>
static int p;
int tw_function_f(int x, int y) { return p + x * y; }
static int sum(int n, int y) {
    int total = 0;
    for (int i = 0; i < n; i++) total += tw_function_f(i, y);
    return total;
}
RELATION(again) {
    p = tw_i32("p", -9, 9);
    int n = tw_i32("n", 0, 5), y = tw_i32("y", 0, 3);
    CHECK_EQ(RUN(sum(n, y)), RUN(sum(n, y)));
}
RELATION(other_argument) {
    p = tw_i32("p", -9, 9);
    int n = tw_i32("n", 0, 5), y = tw_i32("y", 0, 3);
    CHECK_EQ(RUN(sum(n, y)), RUN(sum(n, y == 3 ? 2 : y)));
}
"#;

/// An answer that is wrong for one combination only, and what NaNs go through.
const RELATIONS: &str = r#"
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <twinrun.h>
static int off(int wrong) { return wrong ? 1 : 0; }
static double sign(double x) { return copysign(1.0, x); }
static double quotient(double a, double b) { return a / b; }

/* Names that are alike. */
RELATION(array_and_scalar) {
    int a[2];
    tw_i32s("a", a, 2, 0, 12);
    int scalar = tw_i32("a[0]", 0, 12);
    CHECK_EQ(RUN(off(a[0] == 3 && scalar == 5)), RUN(off(0)));
}
RELATION(text_and_its_length) {
    char t[4];
    int n = tw_text("t", t, 3, "ab");
    int length = tw_i32("len(t)", 0, 3);
    CHECK_EQ(RUN(off(n == 2 && length == 1)), RUN(off(0)));
}
RELATION(drawn_twice) {
    int p = tw_i32("x", 0, 12), q = tw_i32("x", 0, 12), r = tw_i32("x#2", 0, 12);
    CHECK_EQ(RUN(off(p == 12 && q == 0 && r == 11)), RUN(off(0)));
}
RELATION(names_of_solvers) {
    int p = tw_i32("x", 0, 12), q = tw_i32("x:int", 0, 12), r = tw_i32("|x|", 0, 12), s = tw_i32("_x_", 0, 12);
    CHECK_EQ(RUN(off(p == 1 && q == 2 && r == 3 && s == 4)), RUN(off(0)));
}
RELATION(names_kept_apart) {
    int p = tw_i32("x", 0, 12), q = tw_i32("x", 0, 12);
    CHECK_EQ(RUN(off(p + q > 24)), RUN(off(0)));
}

/* NaNs have signs and payloads; those of arithmetic are canonical. */
RELATION(sign_of_nan) {
    double x = tw_f64("x", -4, 4);
    double nan = RUN(quotient(x - x, x - x));
    CHECK_EQ(RUN(sign(-nan)), 1.0);
}
RELATION(canonical_nan) {
    double x = tw_f64("x", -4, 4);
    double nan = RUN(quotient(x - x, x - x));
    uint64_t bits;
    memcpy(&bits, &nan, 8);
    CHECK_EQ((int64_t)bits, 0x7ff8000000000000);
    CHECK_EQ(RUN(sign(nan)), 1.0);
    CHECK_EQ(RUN(sign(-nan)), -1.0);
}
RELATION(payload_kept) {
    uint32_t low = tw_u32("low", 0, 0xffffffff);
    uint64_t bits = 0x7ff0000000000000u | low, back;
    double number;
    memcpy(&number, &bits, 8);
    double moved = RUN(low == 7 ? -(-number) : number);
    memcpy(&back, &moved, 8);
    CHECK_EQ((int64_t)back, (int64_t)bits);
}
RELATION(payload_lost) {
    uint32_t low = tw_u32("low", 0, 0xffffffff);
    uint64_t bits = 0x7ff8000000000000u | low, back;
    double number;
    memcpy(&number, &bits, 8);
    double added = RUN(quotient(number, 1.0));
    memcpy(&back, &added, 8);
    CHECK_EQ((int64_t)back, (int64_t)bits);
}
"#;

#[test]
fn inputs_are_told_apart_by_their_position_and_nans_have_bits() {
    let subject = source(RELATIONS);
    let config = bare();
    let report = |relation: &str| -> Report {
        prove(&subject, relation, &config, &mut |_| ()).expect("it can be run")
    };
    for (relation, condition) in [
        ("array_and_scalar", Some("a[0] == 3 && a[0]#2 == 5")),
        ("text_and_its_length", Some("len(t) == 2 && len(t)#2 == 1")),
        ("drawn_twice", None),
        ("names_of_solvers", Some("x == 1 && `x:int` == 2 && `|x|` == 3 && _x_ == 4")),
        ("payload_lost", None),
        ("sign_of_nan", None),
    ] {
        let found = report(relation);
        assert_eq!(found.verdict, Verdict::Violated, "{relation}: {found:?}");
        let told = found.fails_when.expect("all failing inputs");
        if let Some(condition) = condition {
            assert_eq!((told.to_string().as_str(), told.exact), (condition, true), "{relation}");
        }
        let witness = found.failures[0].witness.as_ref().expect("inputs that show it");
        assert!(witness.confirmed, "{relation}");
    }
    for relation in ["names_kept_apart", "canonical_nan", "payload_kept"] {
        let found = report(relation);
        assert!(matches!(found.verdict, Verdict::Proved(_)), "{relation}: {found:?}");
    }
}

#[test]
fn functions_of_integers_stand_for_any_function_of_all_their_arguments() {
    let subject = source(ANY);
    let config = bare();
    let again = prove(&subject, "again", &config, &mut |_| ()).expect("it can be run");
    assert_ne!(again.verdict, Verdict::Violated, "{again:?}");
    let other = prove(&subject, "other_argument", &config, &mut |_| ()).expect("it can be run");
    assert_eq!(other.verdict, Verdict::Violated, "{other:?}");
}
