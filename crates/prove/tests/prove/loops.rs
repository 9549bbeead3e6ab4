//! Loops without bound: Area for any function and any number of intervals.

use crate::common::{config, report};
use twinrun_prove::Verdict;

#[test]
fn the_relations_of_area_are_proved_over_the_reals_for_any_function_and_any_number_of_intervals() {
    for (relation, invariant) in [
        ("raise", "area@1 + c * i@1 == area@2"),
        ("add", "area@1 + area@2 == area@3"),
        ("scale", "k * area@1 == area@2"),
    ] {
        let found = report("pairs/area_any", "area", relation, &config());
        assert!(matches!(found.verdict, Verdict::ProvedOverReals(_)), "{relation}: {:?}", found.loops);
        let proof = found.loops.expect("loops were looked at");
        assert_eq!(proof.ways.len(), 3, "equal ends, and both orders");
        assert_eq!(proof.tested.1, 0);
        let told = proof.ways.iter().any(|way| way.invariants.iter().any(|known| known == invariant));
        assert!(told, "{relation}: {:?}", proof.ways);
    }
}

#[test]
fn a_faulty_area_is_refuted_with_a_witness() {
    let found = report("pairs/area_any", "faulty", "raise", &config());
    assert_eq!(found.verdict, Verdict::Violated);
    let proof = found.loops.expect("loops were looked at");
    assert!(!proof.proved && proof.witness.is_some());
}

#[test]
fn loops_that_turn_differently_often_are_aligned() {
    for (relation, steps) in [
        ("in_pairs", "1 turn of run 1 with 2 turns of run 2"),
        ("one_more", "1 turn of run 1 with 1 turn of run 2 after the first 1"),
    ] {
        let found = report("pairs/sum_any", "sum", relation, &config());
        assert!(matches!(found.verdict, Verdict::ProvedOverReals(_)), "{relation}: {:?}", found.loops);
        let proof = found.loops.expect("loops were looked at");
        assert!(proof.ways.iter().any(|way| way.steps.as_deref() == Some(steps)), "{:?}", proof.ways);
    }
    let found = report("pairs/sum_any", "faulty", "in_pairs", &config());
    assert_eq!(found.verdict, Verdict::Violated);
}
