//! All path pairs of the programs on which other provers were measured: the counts are known by exhaustive enumeration.

use crate::common::{explorer, load, root};
use twinrun_explore::{Config, Pairs};
use twinrun_subject::build::Shape;

fn check(program: &str, flags: &[&str], relation: &str, expect: (usize, usize, usize)) {
    let folder = root().join("subjects/pairs").join(program);
    let source = format!("{program}.c");
    let (_, module) = load(&folder, &[&source, "relations.c"], flags, Shape::Relations);
    let mut explorer = explorer(&module, relation, Config::default());
    let mut pairs = Pairs::default();
    while let Some(path) = explorer.next_path().expect("it runs") {
        pairs.add(&path);
    }
    let coverage = explorer.coverage();
    assert!(coverage.is_complete(), "{coverage:?} {:?}", explorer.reasons());
    assert_eq!((pairs.count(), pairs.failing(), pairs.mixed()), expect, "{program} {flags:?} {relation}");
}

#[test]
fn med_has_the_published_pairs() {
    check("med", &[], "swap_last_two", (12, 0, 0));
    check("med", &[], "swap_first_two", (11, 0, 0));
    check("med", &["-DFAULTY"], "swap_last_two", (10, 4, 2));
    check("med", &["-DFAULTY"], "swap_first_two", (8, 2, 2));
}

#[test]
fn maxsub_has_the_known_pairs() {
    check("maxsub", &["-DN=3", "-DBOUND=1000"], "reverse", (49, 0, 0));
    check("maxsub", &["-DN=4", "-DBOUND=1000"], "reverse", (244, 0, 0));
    check("maxsub", &["-DN=3", "-DBOUND=1000", "-DFAULTY"], "reverse", (62, 42, 4));
    check("maxsub", &["-DN=4", "-DBOUND=1000", "-DFAULTY"], "reverse", (301, 239, 49));
}

#[test]
fn sort_has_the_known_pairs() {
    check("sort", &["-DN=3"], "rotate", (11, 0, 0));
    check("sort", &["-DN=4"], "rotate", (49, 0, 0));
    check("sort", &["-DN=3", "-DFAULTY"], "rotate", (4, 4, 3));
    check("sort", &["-DN=4", "-DFAULTY"], "rotate", (18, 18, 11));
}
