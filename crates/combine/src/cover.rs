//! What is still to be covered: one set of tuples for the model's strength and one for each group of
//! parameters with a strength of its own.

use crate::error::Error;
use crate::space::Space;
use crate::tuples::{Tuples, has_bit, set_bit};

/// What an array has to cover at one strength.
#[derive(Debug, Clone)]
pub(crate) struct Requirement {
    /// The uncovered tuples over the local numbers of values.
    pub tuples: Tuples,
    /// The parameters, ascending.
    pub parameters: Vec<usize>,
    /// The local number of each value; `u32::MAX` outside the parameters.
    pub local: Vec<u32>,
    /// The value of each local number.
    pub global: Vec<u32>,
    /// Number of feasible tuples.
    pub total: usize,
    /// Number of uncovered tuples.
    pub left: usize,
    /// All ranks from here on are covered: seeds are sought downwards.
    pub cursor: usize,
}

impl Requirement {
    /// All feasible tuples of some parameters, none covered yet.
    pub(crate) fn new(
        space: &Space,
        parameters: &[usize],
        strength: usize,
        infeasible: &[Vec<u32>],
    ) -> Result<Requirement, Error> {
        let mut local = vec![u32::MAX; space.values()];
        let mut global = Vec::new();
        let mut owner = Vec::new();
        for &parameter in parameters {
            for value in space.ids(parameter) {
                local[value as usize] = global.len() as u32;
                global.push(value);
                owner.push(parameter as u32);
            }
        }
        let inside = |set: &&Vec<u32>| set.iter().all(|&value| local[value as usize] != u32::MAX);
        let infeasible: Vec<Vec<u32>> = infeasible
            .iter()
            .filter(inside)
            .map(|set| set.iter().map(|&value| local[value as usize]).collect())
            .collect();
        let tuples = Tuples::feasible(strength, &owner, &infeasible)?;
        let total = tuples.count();
        let cursor = tuples.subsets();
        Ok(Requirement { tuples, parameters: parameters.to_vec(), local, global, total, left: total, cursor })
    }

    /// The local numbers of a row's values, and their bits.
    pub(crate) fn localize(&self, row: &[u32]) -> (Vec<u32>, Vec<u64>) {
        let values: Vec<u32> =
            self.parameters.iter().map(|&parameter| self.local[row[parameter] as usize]).collect();
        let mut mask = vec![0; self.tuples.words];
        values.iter().for_each(|&value| set_bit(&mut mask, value as usize));
        (values, mask)
    }

    /// Whether a tuple of ascending values is still in the set.
    pub(crate) fn requires(&self, values: &[u32]) -> bool {
        let local = |value: u32| self.local[value as usize];
        let (last, subset) = values.split_last().expect("a tuple has values");
        let rank = subset.iter().enumerate().map(|(at, &value)| self.tuples.part(at, local(value))).sum();
        has_bit(self.tuples.of(rank), local(*last) as usize)
    }

    /// Marks a complete row as covered; returns how many tuples were new.
    pub(crate) fn cover(&mut self, row: &[u32]) -> usize {
        let (values, mask) = self.localize(row);
        let removed = self.tuples.remove_row(&values, &mask);
        self.left -= removed;
        removed
    }

    /// Takes a tuple out that turned out not to occur; whether it was in the set.
    pub(crate) fn exclude(&mut self, values: &[u32]) -> bool {
        let mut local: Vec<u32> = values.iter().map(|&value| self.local[value as usize]).collect();
        local.sort_unstable();
        // Values outside the parameters have the highest number.
        let inside = local.last().is_some_and(|&last| last != u32::MAX);
        let removed = inside && self.tuples.remove(&local);
        self.total -= usize::from(removed);
        self.left -= usize::from(removed);
        removed
    }

    /// How many uncovered tuples a complete row has.
    pub(crate) fn count_new(&self, row: &[u32]) -> usize {
        let (values, mask) = self.localize(row);
        let mut count = 0;
        self.tuples.ranks(&values, self.tuples.strength - 1, &mut |rank| {
            count += self
                .tuples
                .of(rank)
                .iter()
                .zip(&mask)
                .map(|(a, b)| (a & b).count_ones() as usize)
                .sum::<usize>();
        });
        count / self.tuples.strength
    }

    /// The uncovered tuples of the subset with the highest rank that has any: values of the subset, and the
    /// values that complete it.
    pub(crate) fn hardest(&mut self) -> Option<(Vec<u32>, Vec<u32>)> {
        while self.cursor > 0 {
            let bits = self.tuples.of(self.cursor - 1);
            if bits.iter().any(|word| *word != 0) {
                let subset = self.tuples.subset(self.cursor - 1);
                let bits_of = |word: usize, bits: u64| {
                    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
                };
                let completing = bits.iter().enumerate().flat_map(|(word, &bits)| bits_of(word, bits));
                let completing = completing.map(|value| self.global[value]).collect();
                return Some((subset.iter().map(|&value| self.global[value as usize]).collect(), completing));
            }
            self.cursor -= 1;
        }
        None
    }
}
