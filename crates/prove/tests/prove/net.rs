//! Cases before and behind a proof.

use twinrun_base::work::SECOND;

use crate::common::{bare, config, of_source};
use twinrun_prove::{Config, Safety, Verdict};

#[test]
fn a_proof_was_tested_before() {
    let source = "RELATION(it) { int x = tw_i32(\"x\", -50, 50), y = tw_i32(\"y\", -50, 50); \
                  CHECK_EQ(RUN(x + y), RUN(y + x)); }";
    let found = of_source(source, &Config { no_safety: true, ..config() });
    let Verdict::Proved(proof) = &found.verdict else { panic!("{:?}", found.verdict) };
    let tested = proof.tested().expect("it was tested");
    assert!(tested.drawn >= 10_000 && tested.boundary >= 49 && tested.all_pairs && !tested.cut, "{tested:?}");
    let Verdict::Proved(proof) = of_source(source, &bare()).verdict else { panic!("it is proved") };
    assert_eq!(proof.tested(), None);
}

#[test]
fn a_violation_that_testing_finds_is_never_unknown() {
    // A product of three doubles is too hard for any solver here; the first case fails.
    let source = "static double f(double x, double y, double z) { return x * y * z; }\n\
                  RELATION(it) { double x = tw_f64(\"x\", -9, 9), y = tw_f64(\"y\", -9, 9), z = tw_f64(\"z\", -9, 9); \
                  CHECK(RUN(f(x, y, z)) * RUN(f(y, z, x)) != 6.25 * 6.25 && x < 8.5); }";
    let (work, patience) = (3 * SECOND, SECOND / 3);
    let found = of_source(source, &Config { no_safety: true, failures: 1, work, patience, ..config() });
    assert_eq!(found.verdict, Verdict::Violated);
    assert!(found.witness.is_some_and(|witness| witness.confirmed));
    assert!(found.pairs.is_none_or(|pairs| pairs.failing > 0), "{:?}", found.pairs);
}

#[test]
fn a_path_that_crashes_has_a_witness() {
    let source = "static int f(int x) { return 100 / (x - 77); }\n\
                  RELATION(it) { int x = tw_i32(\"x\", 0, 100000); CHECK_EQ(RUN(f(x)), RUN(f(x))); }";
    for config in [bare(), Config { no_safety: true, ..config() }] {
        let found = of_source(source, &config);
        assert_eq!(found.verdict, Verdict::Crashed);
        let witness = found.witness.expect("the case");
        assert!(witness.confirmed && witness.replayed.crash.is_some());
        assert_eq!(witness.case.to_string(), "x = 77");
    }
}

#[test]
fn a_crash_of_the_checked_build_that_testing_finds_is_no_safety() {
    let source = "static int f(int x) { return x + x; }\n\
                  RELATION(it) { int x = tw_i32(\"x\", INT32_MIN, INT32_MAX); CHECK_EQ(RUN(f(x)), RUN(f(x))); }";
    let found = of_source(source, &config());
    assert!(found.verdict.is_proved(), "{:?}", found.verdict);
    assert!(matches!(found.safety, Safety::Broken { .. }), "{:?}", found.safety);
}

#[test]
fn a_side_that_crashes_in_every_way_is_not_merged_away() {
    let sides = [
        "if (x > 5) { if (x > 7) __builtin_trap(); else __builtin_trap(); }",
        "if (x > 5) { if (x > 7) __builtin_trap(); x = 3; __builtin_trap(); }",
        "if (x > 5) { switch (x) { case 6: case 9: __builtin_trap(); default: x = 10 / (x - 8); } __builtin_trap(); }",
    ];
    for side in sides {
        let source = format!(
            "static int f(int x) {{ {side} return 1; }}\n\
             RELATION(it) {{ int x = tw_i32(\"x\", -100, 100); CHECK_EQ(RUN(f(x)), RUN(f(-x))); }}"
        );
        let found = of_source(&source, &bare());
        assert_eq!(found.verdict, Verdict::Crashed, "{side}");
        let found = of_source(&source, &Config { no_safety: false, ..bare() });
        assert!(matches!(found.safety, Safety::Broken { .. }), "{side}: {:?}", found.safety);
    }
}
