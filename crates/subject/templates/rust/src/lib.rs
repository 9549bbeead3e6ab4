//! Merging intervals, and relations that it must satisfy.

use twinrun_sdk::{assume, check_eq, check_le, input, relation, run, transform};

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    pub lo: i32,
    pub hi: i32,
}

/// The union of the intervals as disjoint intervals in ascending order.
///
/// A fault to be found with `twinrun test`: an interval inside the one before it cuts that one short. Fix it with
/// `last.hi = last.hi.max(next.hi)`.
pub fn merge(intervals: &[Interval]) -> Vec<Interval> {
    let mut sorted = intervals.to_vec();
    sorted.sort_by_key(|interval| interval.lo);
    let mut merged: Vec<Interval> = Vec::new();
    for next in sorted {
        match merged.last_mut() {
            Some(last) if next.lo <= last.hi => last.hi = next.hi,
            _ => merged.push(next),
        }
    }
    merged
}

/// How much the intervals cover together.
pub fn covered(intervals: &[Interval]) -> i32 {
    merge(intervals).iter().map(|interval| interval.hi - interval.lo).sum()
}

fn draw(n: usize) -> Vec<Interval> {
    let starts = input::i32s("starts", n, 0, 20);
    let lengths = input::i32s("lengths", n, 0, 10);
    starts.iter().zip(&lengths).map(|(lo, length)| Interval { lo: *lo, hi: lo + length }).collect()
}

// The order of the intervals does not matter.
relation!(permuted, {
    let n = input::len("n", 1, 5);
    let intervals = draw(n);
    let permutation = input::permutation("permutation", n);
    let other = transform::permute(&intervals, &permutation);
    let source = run(|| covered(&intervals));
    let follow_up = run(|| covered(&other));
    check_eq!(source, follow_up);
});

// One interval more covers as much at least.
relation!(one_more, {
    let n = input::len("n", 1, 5);
    let intervals = draw(n);
    let extra = input::i32("extra", 0, 20);
    assume(extra > 0);
    let more = transform::include(&intervals, n, Interval { lo: 0, hi: extra });
    let source = run(|| covered(&intervals));
    let follow_up = run(|| covered(&more));
    check_le!(source, follow_up);
});
