//! Another tool's array of the same model: which combinations of values only one of two arrays has.
//!
//! Both arrays cover every feasible combination of their strength, so one that only ours has is one that the other tool
//! forbids, and one that only theirs has is one that we miss.

use rustc_hash::FxHashSet;

use crate::check::for_each_choice;
use crate::model::Model;

/// Combinations of parameter and value pairs that only one of two arrays has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    /// Only in the first.
    pub first: Vec<Vec<(usize, usize)>>,
    /// Only in the second.
    pub second: Vec<Vec<(usize, usize)>>,
}

/// Compares two arrays at a strength and at the mixed strengths of the model. Of parameters with a lower strength of
/// their own, no more are taken together than that.
pub fn differences(
    model: &Model,
    first: &[Vec<usize>],
    second: &[Vec<usize>],
    strength: usize,
) -> Differences {
    let mut found = Differences::default();
    let everything: Vec<usize> = (0..model.parameters.len()).collect();
    let fits = |chosen: &[usize]| {
        model.mixed.iter().all(|mixed| {
            let within = chosen.iter().filter(|own| mixed.parameters.contains(own)).count();
            within <= mixed.strength
        })
    };
    for_each_choice(&everything, strength, &mut |chosen| {
        if fits(chosen) {
            compare(first, second, chosen, &mut found);
        }
    });
    for mixed in &model.mixed {
        for_each_choice(&mixed.parameters, mixed.strength, &mut |chosen| {
            compare(first, second, chosen, &mut found);
        });
    }
    found
}

fn compare(first: &[Vec<usize>], second: &[Vec<usize>], chosen: &[usize], found: &mut Differences) {
    let tuples = |rows: &[Vec<usize>]| -> FxHashSet<Vec<(usize, usize)>> {
        rows.iter().map(|row| chosen.iter().map(|&own| (own, row[own])).collect()).collect()
    };
    let (a, b) = (tuples(first), tuples(second));
    found.first.extend(a.difference(&b).cloned());
    found.second.extend(b.difference(&a).cloned());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read_pict;

    #[test]
    fn what_only_one_array_has_is_found() {
        let model = read_pict("A: 0, 1\nB: 0, 1\nC: 0, 1\n{A, B} @ 1\n").unwrap();
        let (first, second) = ([vec![0, 0, 0], vec![1, 1, 1]], [vec![0, 0, 0], vec![1, 1, 0]]);
        let found = differences(&model, &first, &second, 2);
        // A and B are covered one by one only: their pairs do not count.
        assert_eq!(found.first, [vec![(0, 1), (2, 1)], vec![(1, 1), (2, 1)]]);
        assert_eq!(found.second, [vec![(0, 1), (2, 0)], vec![(1, 1), (2, 0)]]);
    }
}
