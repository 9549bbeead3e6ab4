//! Starter vectors (Meagher and Stevens, "Group construction of covering arrays", 2005): one vector whose rotations, with all
//! elements of a cyclic group added to each, and one constant row form an array of strength 2. The group has one element fewer
//! than there are values; the further value stays what it is under all of it. Vectors are sought when they are needed, by a
//! search whose length is counted, so that they are the same everywhere.

use std::collections::BTreeMap;

use crate::random::Random;

/// Starter vectors for one number of values, as far as they were sought.
pub(super) struct Starters {
    /// Elements of the group; also the value that stays.
    group: usize,
    known: BTreeMap<usize, Option<Vec<usize>>>,
}

/// Changes tried for one vector, and how likely a change for the worse is kept: once in this to the power of what it loses.
const CHANGES: usize = 150_000;
const BOLD: f64 = 12.0;

impl Starters {
    pub(super) fn new(values: usize) -> Starters {
        Starters { group: values - 1, known: BTreeMap::new() }
    }

    /// The vector of a length, if one is found.
    pub(super) fn of(&mut self, length: usize) -> Option<&Vec<usize>> {
        let group = self.group;
        self.known.entry(length).or_insert_with(|| seek(group, length)).as_ref()
    }

    /// The array of a vector that was found: a row for each rotation and element, and the constant one.
    pub(super) fn develop(&mut self, length: usize) -> Vec<Vec<usize>> {
        let group = self.group;
        let mut rows = vec![vec![group; length]];
        if let Some(vector) = self.of(length) {
            for turn in 0..length {
                for element in 0..group {
                    let value = |column: usize| moved(vector[(column + turn) % length], element, group);
                    rows.push((0..length).map(value).collect());
                }
            }
        }
        rows
    }

    /// Each column of an array once for each column of the vector's array but the first. Columns that come from one are equal
    /// in the old rows, so of the new ones those are needed that differ: the rows of the first rotation and the constant one,
    /// which have no value in common, become constant by renaming the values of each column, and are left out.
    pub(super) fn multiply(&mut self, left: &[Vec<usize>], length: usize) -> Option<Vec<Vec<usize>>> {
        let group = self.group;
        let vector = self.of(length)?;
        let width = left.first()?.len();
        let old = left.iter().map(|row| (1..length).flat_map(|_| row.iter().copied()).collect());
        let new = (1..length).flat_map(|turn| {
            (0..group).map(move |element| {
                let value = |column: usize| {
                    moved(vector[(column + turn) % length], element + group - vector[column], group)
                };
                (1..length).flat_map(|column| std::iter::repeat_n(value(column), width)).collect()
            })
        });
        Some(old.chain(new).collect())
    }
}

/// A value after an element was added.
fn moved(value: usize, element: usize, group: usize) -> usize {
    if value == group { value } else { (value + element) % group }
}

/// Seeks a vector: the value that stays first, and at every distance all differences among the others.
fn seek(group: usize, length: usize) -> Option<Vec<usize>> {
    let mut random = Random::new((group * 1000 + length) as u64);
    let mut vector: Vec<usize> = (0..length).map(|_| random.below(group)).collect();
    vector[0] = group;
    let half = length / 2;
    // How often each difference occurs at each distance.
    let mut counts = vec![vec![0i32; group]; half + 1];
    for (distance, counts) in counts.iter_mut().enumerate().skip(1) {
        for at in 0..length {
            if let Some(difference) = difference(&vector, at, (at + distance) % length, group) {
                counts[difference] += 1;
            }
        }
    }
    let mut lacking: i32 = counts[1..].iter().flatten().filter(|count| **count == 0).count() as i32;
    for _ in 0..CHANGES {
        if lacking == 0 {
            return Some(vector);
        }
        let at = 1 + random.below(length - 1);
        let old = vector[at];
        let change = shift(&mut vector, &mut counts, at, random.below(group), group);
        if change > 0 && random.unit() >= BOLD.powi(-change) {
            shift(&mut vector, &mut counts, at, old, group);
        } else {
            lacking += change;
        }
    }
    (lacking == 0).then_some(vector)
}

/// Changes one value; how many more differences are lacking then.
fn shift(vector: &mut [usize], counts: &mut [Vec<i32>], at: usize, value: usize, group: usize) -> i32 {
    let length = vector.len();
    let mut change = 0;
    for add in [false, true] {
        if add {
            vector[at] = value;
        }
        for (distance, counts) in counts.iter_mut().enumerate().skip(1) {
            let (before, behind) = ((at + length - distance) % length, (at + distance) % length);
            for (from, to) in [(before, at), (at, behind)] {
                let Some(difference) = difference(vector, from, to, group) else { continue };
                let count = &mut counts[difference];
                if add {
                    change -= i32::from(*count == 0);
                    *count += 1;
                } else {
                    *count -= 1;
                    change += i32::from(*count == 0);
                }
            }
        }
    }
    change
}

/// The difference of two values of the group; nothing beside the value that stays.
fn difference(vector: &[usize], from: usize, to: usize, group: usize) -> Option<usize> {
    let (from, to) = (vector[from], vector[to]);
    (from != group && to != group).then(|| (to + group - from) % group)
}
