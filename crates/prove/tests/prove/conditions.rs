//! Relations that fail: every pair, its condition, its trigger, a witness.

use crate::common::{config, report};
use twinrun_prove::{Config, Report, Verdict};

fn counts(report: &Report) -> (usize, usize, usize) {
    let pairs = report.pairs.expect("pairs were enumerated");
    assert!(pairs.complete);
    (pairs.pairs, pairs.failing, pairs.mixed)
}

#[test]
fn faulty_med_fails_as_published() {
    let found = report("pairs/med", "faulty", "swap_last_two", &config());
    assert_eq!(found.verdict, Verdict::Violated);
    assert_eq!(counts(&found), (10, 4, 2));
    let published = found
        .failures
        .iter()
        .find(|failure| failure.fails_when.to_string() == "b < a < c")
        .expect("the published condition");
    assert!(published.fails_when.exact);
    assert_eq!(published.trigger.as_ref().expect("it is mixed").to_string(), "b < a");
    assert_eq!(published.sides, Some(("a".to_owned(), "b".to_owned())));
    let suspected = found.suspected.as_ref().expect("one path is suspected");
    assert_eq!((suspected.run, suspected.violations.clone()), (2, vec![2, 4]));
    let witness = published.witness.as_ref().expect("inputs that show it");
    assert!(witness.confirmed);
    let whole = found.fails_when.expect("all failing inputs");
    assert_eq!((whole.to_string().as_str(), whole.exact), ("(c < a <= b) || (b < a <= c)", true));
}

#[test]
fn the_other_transposition_fails_on_two_pairs() {
    let found = report("pairs/med", "faulty", "swap_first_two", &Config { no_safety: true, ..config() });
    assert_eq!(counts(&found), (8, 2, 2));
}

#[test]
fn faulty_maxsub_has_the_known_pairs_and_readable_conditions() {
    let few = Config { no_safety: true, failures: 1, ..config() };
    let found = report("pairs/maxsub", "n3_faulty", "reverse", &few);
    assert_eq!(counts(&found), (62, 42, 4));
    assert_eq!(
        found.failures[0].trigger.as_ref().expect("mixed pairs come first").to_string(),
        "A[0] != A[2]"
    );
    assert_eq!(found.failures_left_out, 41);
}

#[test]
fn the_other_run_can_be_suspected() {
    let first = Config { suspect: Some(1), no_safety: true, ..config() };
    let found = report("pairs/med", "faulty", "swap_last_two", &first);
    assert_eq!(found.suspected.map(|suspected| suspected.run), Some(1));
}

#[test]
fn a_report_survives_writing_and_reading() {
    let found = report("pairs/med", "faulty", "swap_last_two", &Config { no_safety: true, ..config() });
    let text = serde_json::to_string(&found).expect("it is written");
    assert_eq!(serde_json::from_str::<Report>(&text).expect("it is read"), found);
}
