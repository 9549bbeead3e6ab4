//! Evidence: what each run of each group touched, and how the group ended. Plain data, so that it can be kept and ranked
//! again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lines::Lines;

/// What is known of some groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The subject's lines and blocks.
    pub lines: Lines,
    /// The relations, by number.
    pub relations: Vec<String>,
    /// The distinct slices of runs, one bit for each block, lowest first.
    pub slices: Vec<Vec<u64>>,
    /// The groups.
    pub groups: Vec<GroupRecord>,
    /// Where a slice stands in `slices`.
    #[serde(skip)]
    known: BTreeMap<Vec<u64>, u32>,
}

/// One group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRecord {
    /// Its relation.
    pub relation: u32,
    /// Whether it was violated (or crashed).
    pub violated: bool,
    /// Found next to a violated group, while that one was made smaller; not drawn by itself.
    pub near: bool,
    /// The slices of its runs: indices into [`Evidence::slices`].
    pub runs: Vec<u32>,
}

impl Evidence {
    /// No groups yet.
    pub fn new(lines: Lines, relations: Vec<String>) -> Evidence {
        Evidence { lines, relations, ..Evidence::default() }
    }

    /// Adds a group.
    pub fn add(&mut self, relation: usize, violated: bool, near: bool, slices: Vec<Vec<u64>>) {
        let runs = slices.into_iter().map(|slice| self.slice(slice)).collect();
        self.groups.push(GroupRecord { relation: relation as u32, violated, near, runs });
    }

    fn slice(&mut self, mut slice: Vec<u64>) -> u32 {
        while slice.last() == Some(&0) {
            slice.pop();
        }
        if let Some(index) = self.known.get(&slice) {
            return *index;
        }
        self.slices.push(slice.clone());
        self.known.insert(slice, self.slices.len() as u32 - 1);
        self.slices.len() as u32 - 1
    }

    /// The metamorphic slice of a group: what some run of it touched.
    pub fn union(&self, group: &GroupRecord) -> Vec<u64> {
        let mut union: Vec<u64> = Vec::new();
        for run in &group.runs {
            let slice = &self.slices[*run as usize];
            if union.len() < slice.len() {
                union.resize(slice.len(), 0);
            }
            union.iter_mut().zip(slice).for_each(|(mine, theirs)| *mine |= theirs);
        }
        union
    }

    /// The number of violated groups.
    pub fn violations(&self) -> usize {
        self.groups.iter().filter(|group| group.violated).count()
    }

    /// For each relation how many groups are violated and how many hold.
    pub fn by_relation(&self) -> Vec<(usize, usize)> {
        let mut counts = vec![(0, 0); self.relations.len()];
        for group in &self.groups {
            let count = &mut counts[group.relation as usize];
            if group.violated { count.0 += 1 } else { count.1 += 1 }
        }
        counts
    }
}

/// The numbers of the bits that are set.
pub fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                index * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_kept_once_and_a_union_has_all_runs() {
        let mut evidence = Evidence::new(Lines::default(), vec!["r".to_owned()]);
        evidence.add(0, true, false, vec![vec![0b101, 0], vec![0, 0b1]]);
        evidence.add(0, false, false, vec![vec![0b101]]);
        assert_eq!(evidence.slices, [vec![0b101], vec![0, 0b1]]);
        assert_eq!(bits(&evidence.union(&evidence.groups[0])).collect::<Vec<_>>(), [0, 2, 64]);
        assert_eq!(evidence.by_relation(), [(1, 1)]);
    }
}
