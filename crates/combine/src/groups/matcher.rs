//! The one matcher: all groups among any set of tests, whoever generated them.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::relation::{Abstract, Test};
use crate::model::Model;
use crate::space::Row;
use crate::value::Concrete;

/// Tests that belong together: which relation, and the indexes of its runs' tests, the source first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group {
    /// The relation's index in the model.
    pub relation: usize,
    /// The tests, one a run; all different.
    pub tests: Vec<usize>,
}

/// All groups among concrete tests, in order; where a rule holds both ways, both are given ([`distinct`] counts them once).
pub fn matches(model: &Model, tests: &[Test]) -> Vec<Group> {
    let mut groups = Vec::new();
    for (index, relation) in model.relations.iter().enumerate() {
        let key = |test: &Test| {
            let mut hasher = FxHasher::default();
            relation.same.iter().for_each(|&parameter| hash_cell(&test.cells[parameter], &mut hasher));
            hasher.finish()
        };
        each_bucket(tests, key, &mut |bucket| {
            each_arrangement(bucket, relation.runs.len(), &mut Vec::new(), &mut |chosen| {
                let members: Vec<&Test> = chosen.iter().map(|&at| &tests[at]).collect();
                if relation.holds(model, &members) {
                    groups.push(Group { relation: index, tests: chosen.to_vec() });
                }
            });
        });
    }
    groups
}

/// Groups as they are counted: the same tests of one relation are one group, whichever of them is the source. The first
/// of each is kept.
pub fn distinct(groups: &[Group]) -> Vec<Group> {
    let mut seen: FxHashSet<Group> = FxHashSet::default();
    let unordered = |group: &Group| {
        let mut group = group.clone();
        group.tests.sort_unstable();
        group
    };
    groups.iter().filter(|group| seen.insert(unordered(group))).cloned().collect()
}

/// All groups that abstract rows can form.
pub(super) fn abstract_matches(relations: &Abstract<'_>, rows: &[Row]) -> Vec<Group> {
    let mut groups = Vec::new();
    for (index, (runs, same, _)) in relations.relations.iter().enumerate() {
        let key = |row: &Row| {
            let mut hasher = FxHasher::default();
            same.iter().for_each(|&at| row[at].hash(&mut hasher));
            hasher.finish()
        };
        each_bucket(rows, key, &mut |bucket| {
            each_arrangement(bucket, *runs, &mut Vec::new(), &mut |chosen| {
                let members: Vec<&[u32]> = chosen.iter().map(|&at| rows[at].as_slice()).collect();
                if relations.related(index, &members) {
                    groups.push(Group { relation: index, tests: chosen.to_vec() });
                }
            });
        });
    }
    groups
}

fn hash_cell(cell: &Concrete, hasher: &mut FxHasher) {
    match cell.only() {
        Some(crate::value::Scalar::Number(number)) => number.to_bits().hash(hasher),
        Some(crate::value::Scalar::Text(text)) => text.hash(hasher),
        None => {}
    }
}

/// Visits the indexes of items with equal keys, in the order of their first members.
fn each_bucket<T>(items: &[T], key: impl Fn(&T) -> u64, visit: &mut impl FnMut(&[usize])) {
    let mut place: FxHashMap<u64, usize> = FxHashMap::default();
    let mut buckets: Vec<Vec<usize>> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let bucket = *place.entry(key(item)).or_insert_with(|| {
            buckets.push(Vec::new());
            buckets.len() - 1
        });
        buckets[bucket].push(at);
    }
    buckets.iter().filter(|bucket| bucket.len() > 1).for_each(|bucket| visit(bucket));
}

/// Visits all ways to line up `size` different members.
fn each_arrangement(
    members: &[usize],
    size: usize,
    chosen: &mut Vec<usize>,
    visit: &mut impl FnMut(&[usize]),
) {
    if chosen.len() == size {
        visit(chosen);
        return;
    }
    for &member in members {
        if !chosen.contains(&member) {
            chosen.push(member);
            each_arrangement(members, size, chosen, visit);
            chosen.pop();
        }
    }
}
