//! Relations that hold are proved, merged and by pairs.

use crate::common::{config, report};
use twinrun_prove::{Config, Safety, Verdict};

#[test]
fn med_is_proved_for_all_32_bit_inputs_under_both_transpositions() {
    for (relation, pairs) in [("swap_last_two", 12), ("swap_first_two", 11)] {
        let found = report("pairs/med", "med", relation, &Config { pairs: true, ..config() });
        assert!(found.verdict.is_proved(), "{:?}", found.verdict);
        assert_eq!(found.inputs, ["a: any 32-bit integer", "b: any 32-bit integer", "c: any 32-bit integer"]);
        let counts = found.pairs.expect("pairs were asked for");
        assert!(counts.complete);
        assert_eq!((counts.first_run_paths, counts.pairs, counts.failing, counts.mixed), (6, pairs, 0, 0));
        assert_eq!(found.merged.expect("merging was tried").paths, 1);
        assert!(matches!(found.safety, Safety::Proved { .. }), "{:?}", found.safety);
    }
}

#[test]
fn maxsub_of_twelve_is_one_merged_path() {
    let found = report("pairs/maxsub", "n12", "reverse", &Config { no_safety: true, ..config() });
    assert!(found.verdict.is_proved(), "{:?}", found.verdict);
    let merged = found.merged.expect("merging was tried");
    assert_eq!((merged.paths, merged.merges, merged.complete, merged.integers), (1, 48, true, true));
}

#[test]
fn what_cannot_be_merged_is_proved_by_its_pairs() {
    let unmerged = Config { no_merging: true, no_safety: true, ..config() };
    let found = report("pairs/sort", "n4", "rotate", &unmerged);
    assert!(found.verdict.is_proved(), "{:?}", found.verdict);
    assert_eq!(found.pairs.map(|pairs| pairs.pairs), Some(49));
    let found = report("pairs/regex", "t4", "bracket", &config());
    assert!(found.verdict.is_proved(), "{:?}", found.verdict);
}

#[test]
fn a_depth_makes_the_answer_bounded() {
    let bounded = Config { no_merging: true, no_safety: true, depth: Some(3), ..config() };
    let found = report("pairs/maxsub", "n3", "reverse", &bounded);
    assert!(matches!(found.verdict, Verdict::ProvedUpTo { .. }), "{:?}", found.verdict);
}

#[test]
fn selected_paths_are_symbolic_testing_and_no_proof() {
    let some = Config { paths: Some(5), no_safety: true, ..config() };
    let found = report("pairs/maxsub", "n3", "reverse", &some);
    let Verdict::Tested { paths, open, .. } = found.verdict else { panic!("{:?}", found.verdict) };
    assert_eq!(paths, 5);
    assert!(open > 0);
}

#[test]
fn threads_find_the_same_pairs() {
    let one = Config { no_merging: true, no_safety: true, pairs: true, ..config() };
    let alone = report("pairs/maxsub", "n3", "reverse", &one);
    let together = report("pairs/maxsub", "n3", "reverse", &Config { jobs: 3, ..one });
    assert_eq!(alone.pairs, together.pairs);
    assert_eq!(alone.verdict, together.verdict);
}
