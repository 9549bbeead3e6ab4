//! Relations that say nothing are not proved.

use crate::common::{bare, config, of_source};
use twinrun_prove::{Config, Verdict};

#[track_caller]
fn is_vacuous(source: &str, why: &str) {
    for config in [bare(), Config { no_safety: true, ..config() }, Config { no_merging: true, ..bare() }] {
        let found = of_source(source, &config);
        let Verdict::Unknown { reasons } = &found.verdict else { panic!("{source}: {:?}", found.verdict) };
        assert!(reasons.iter().any(|reason| reason.contains(why)), "{source}: {reasons:?}");
    }
}

#[test]
fn without_a_check_nothing_is_proved() {
    is_vacuous("RELATION(it) { int x = tw_i32(\"x\", 0, 9); RUN(x + 1); }", "nothing is checked");
}

#[test]
fn without_a_run_nothing_is_proved() {
    is_vacuous("RELATION(it) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(x, x); }", "nothing is run");
}

#[test]
fn without_an_input_that_passes_nothing_is_proved() {
    let source = "RELATION(it) { int x = tw_i32(\"x\", 0, 9); ASSUME(x > 9); CHECK_EQ(RUN(x), x); }";
    is_vacuous(source, "no input passes the assumptions");
}
