//! Sets of t-tuples of values as bits. For every (t-1)-subset X of values there is one bit set over all
//! values: bit v of X says that X ∪ {v} is in the set, so each tuple is stored t times, and how many tuples
//! a value would complete in a row is a handful of `and` and `popcount` instructions.
//!
//! Subsets are numbered by the combinatorial number system: the rank of a₀ < a₁ < … is Σ C(aᵢ, i+1).

use rustc_hash::FxHashMap;

use crate::error::Error;

/// Tables larger than this are refused.
pub(crate) const LIMIT_MIB: usize = 3072;

#[derive(Debug, Clone)]
pub(crate) struct Tuples {
    pub strength: usize,
    pub values: usize,
    pub words: usize,
    /// `choose[i][a]` is C(a, i+1).
    choose: Vec<Vec<usize>>,
    bits: Vec<u64>,
}

impl Tuples {
    /// An empty set.
    ///
    /// # Errors
    /// When it would take too much memory.
    pub(crate) fn new(strength: usize, values: usize) -> Result<Tuples, Error> {
        let mut choose = vec![(0..=values).collect::<Vec<usize>>()];
        for level in 1..strength {
            let mut row = vec![0usize; values + 1];
            for at in 1..=values {
                row[at] = row[at - 1].saturating_add(choose[level - 1][at - 1]);
            }
            choose.push(row);
        }
        let words = values.div_ceil(64);
        let subsets = if strength == 1 { 1 } else { choose[strength - 2][values] };
        let needed = subsets.saturating_mul(words * 8) >> 20;
        if needed > LIMIT_MIB {
            return Err(Error::TooLarge { strength, values, needed, limit: LIMIT_MIB });
        }
        Ok(Tuples { strength, values, words, choose, bits: vec![0; subsets * words] })
    }

    /// All tuples over values of different owners that contain none of the infeasible sets.
    pub(crate) fn feasible(strength: usize, owner: &[u32], infeasible: &[Vec<u32>]) -> Result<Tuples, Error> {
        let mut tuples = Tuples::new(strength, owner.len())?;
        let words = tuples.words;
        let mut fits = vec![vec![0u64; words]; owner.len()];
        let mut alive = vec![0u64; words];
        (0..owner.len()).for_each(|value| set_bit(&mut alive, value));
        infeasible.iter().filter(|set| set.len() == 1).for_each(|set| clear_bit(&mut alive, set[0] as usize));
        for a in 0..owner.len() {
            (0..owner.len())
                .filter(|&b| owner[a] != owner[b] && has_bit(&alive, b))
                .for_each(|b| set_bit(&mut fits[a], b));
        }
        for set in infeasible.iter().filter(|set| set.len() == 2) {
            clear_bit(&mut fits[set[0] as usize], set[1] as usize);
            clear_bit(&mut fits[set[1] as usize], set[0] as usize);
        }
        let mut completes: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
        for set in infeasible.iter().filter(|set| set.len() >= 3 && set.len() <= strength) {
            for leave in 0..set.len() {
                let mut rest = set.clone();
                let left = rest.remove(leave);
                completes.entry(rest).or_default().push(left);
            }
        }
        // Smaller sets are met by `alive` and `fits` already, and there may be millions of them.
        let infeasible: rustc_hash::FxHashSet<&[u32]> =
            infeasible.iter().filter(|set| set.len() >= 3).map(Vec::as_slice).collect();
        let mut build =
            Build { tuples: &mut tuples, fits: &fits, completes: &completes, infeasible: &infeasible };
        build.extend(&mut Vec::new(), &alive, 0, 0);
        Ok(tuples)
    }

    /// The bits of the subset with this rank.
    #[inline]
    pub(crate) fn of(&self, rank: usize) -> &[u64] {
        &self.bits[rank * self.words..(rank + 1) * self.words]
    }

    /// C(value, position + 1): what a value adds to the rank at this position of a subset.
    #[inline]
    pub(crate) fn part(&self, position: usize, value: u32) -> usize {
        self.choose[position][value as usize]
    }

    /// Number of subsets, which is the number of ranks.
    pub(crate) fn subsets(&self) -> usize {
        self.bits.len() / self.words.max(1)
    }

    /// Number of tuples in the set.
    pub(crate) fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum::<usize>() / self.strength
    }

    /// The subset of a rank.
    pub(crate) fn subset(&self, mut rank: usize) -> Vec<u32> {
        let mut subset = vec![0; self.strength - 1];
        for position in (0..self.strength - 1).rev() {
            let value = self.choose[position].partition_point(|&c| c <= rank) - 1;
            rank -= self.choose[position][value];
            subset[position] = value as u32;
        }
        subset
    }

    /// The ranks of the subsets of `size` values of a sorted list.
    pub(crate) fn ranks(&self, row: &[u32], size: usize, visit: &mut impl FnMut(usize)) {
        match size {
            0 => visit(0),
            1 => row.iter().for_each(|&a| visit(self.choose[0][a as usize])),
            2 => {
                for (at, &b) in row.iter().enumerate() {
                    let base = self.choose[1][b as usize];
                    row[..at].iter().for_each(|&a| visit(base + self.choose[0][a as usize]));
                }
            }
            _ => self.ranks_from(row, size, 0, visit),
        }
    }

    fn ranks_from(&self, row: &[u32], size: usize, rank: usize, visit: &mut impl FnMut(usize)) {
        if size == 1 {
            row.iter().for_each(|&a| visit(rank + self.choose[0][a as usize]));
            return;
        }
        for (at, &last) in row.iter().enumerate().skip(size - 1) {
            self.ranks_from(&row[..at], size - 1, rank + self.choose[size - 1][last as usize], visit);
        }
    }

    /// Takes one tuple of ascending values out of the set; whether it was there.
    pub(crate) fn remove(&mut self, tuple: &[u32]) -> bool {
        let mut there = false;
        for leave in 0..tuple.len() {
            let rest = tuple.iter().enumerate().filter(|(at, _)| *at != leave);
            let rank: usize =
                rest.enumerate().map(|(position, (_, &value))| self.choose[position][value as usize]).sum();
            let bits = &mut self.bits[rank * self.words..(rank + 1) * self.words];
            there |= has_bit(bits, tuple[leave] as usize);
            clear_bit(bits, tuple[leave] as usize);
        }
        there
    }

    /// Takes all tuples of a row out of the set; `mask` has the row's bits. Returns how many there were.
    pub(crate) fn remove_row(&mut self, row: &[u32], mask: &[u64]) -> usize {
        let mut bits = std::mem::take(&mut self.bits);
        let words = self.words;
        let mut removed = 0;
        self.ranks(row, self.strength - 1, &mut |rank| {
            for (own, mask) in bits[rank * words..(rank + 1) * words].iter_mut().zip(mask) {
                removed += (*own & mask).count_ones() as usize;
                *own &= !mask;
            }
        });
        self.bits = bits;
        removed / self.strength
    }

    /// How many tuples each of the `candidates` would complete together with the values of `row`
    /// (sorted, without the candidates' parameter); `mask` has the row's bits.
    pub(crate) fn gains(&self, candidates: &[u32], row: &[u32], mask: &[u64], gains: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt") {
            // SAFETY: the instruction was just found to be there.
            unsafe { self.gains_popcnt(candidates, row, mask, gains) };
            return;
        }
        self.gains_plain(candidates, row, mask, gains);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn gains_popcnt(&self, candidates: &[u32], row: &[u32], mask: &[u64], gains: &mut [u32]) {
        self.gains_plain(candidates, row, mask, gains);
    }

    #[inline(always)]
    fn gains_plain(&self, candidates: &[u32], row: &[u32], mask: &[u64], gains: &mut [u32]) {
        let size = self.strength - 1;
        for (gain, &value) in gains.iter_mut().zip(candidates) {
            if row.len() < size {
                *gain += 0;
                continue;
            }
            let mut sum = 0;
            match self.strength {
                1 => sum = u32::from(has_bit(self.of(0), value as usize)),
                2 => sum = and_count(self.of(value as usize), mask),
                3 => {
                    let base = self.choose[1][value as usize];
                    for &other in row {
                        let rank = if other < value {
                            base + other as usize
                        } else {
                            self.choose[1][other as usize] + value as usize
                        };
                        sum += and_count(self.of(rank), mask);
                    }
                }
                _ => {
                    let split = row.partition_point(|&other| other < value);
                    let (low, high) = row.split_at(split);
                    for below in 0..=(size - 1).min(low.len()) {
                        let above = size - 1 - below;
                        if above > high.len() {
                            continue;
                        }
                        self.high_ranks(high, above, below + 1, &mut |upper| {
                            let upper = upper + self.choose[below][value as usize];
                            self.ranks(low, below, &mut |lower| {
                                sum += and_count(self.of(upper + lower), mask);
                            });
                        });
                    }
                }
            }
            *gain += sum / size.max(1) as u32;
        }
    }

    /// The parts of ranks that `size` values of a sorted list add above `offset` smaller ones.
    fn high_ranks(&self, row: &[u32], size: usize, offset: usize, visit: &mut dyn FnMut(usize)) {
        if size == 0 {
            visit(0);
            return;
        }
        for (at, &last) in row.iter().enumerate().skip(size - 1) {
            let part = self.choose[offset + size - 1][last as usize];
            self.high_ranks(&row[..at], size - 1, offset, &mut |rank| visit(rank + part));
        }
    }
}

struct Build<'a> {
    tuples: &'a mut Tuples,
    fits: &'a [Vec<u64>],
    completes: &'a FxHashMap<Vec<u32>, Vec<u32>>,
    infeasible: &'a rustc_hash::FxHashSet<&'a [u32]>,
}

impl Build<'_> {
    /// Extends a feasible ascending subset; `common` are the values that fit all of it pairwise.
    fn extend(&mut self, subset: &mut Vec<u32>, common: &[u64], rank: usize, from: u32) {
        if subset.len() + 1 == self.tuples.strength {
            let words = self.tuples.words;
            let bits = &mut self.tuples.bits[rank * words..(rank + 1) * words];
            bits.copy_from_slice(common);
            if !self.completes.is_empty() {
                for_each_part(subset, &mut |part| {
                    if let Some(values) = self.completes.get(part) {
                        values.iter().for_each(|&value| clear_bit(bits, value as usize));
                    }
                });
            }
            return;
        }
        for value in from..self.tuples.values as u32 {
            if !has_bit(common, value as usize) {
                continue;
            }
            subset.push(value);
            let mut forbidden = false;
            if subset.len() >= 3 {
                for_each_part(subset, &mut |part| forbidden |= self.infeasible.contains(part));
            }
            if !forbidden {
                let both: Vec<u64> =
                    common.iter().zip(&self.fits[value as usize]).map(|(a, b)| a & b).collect();
                let rank = rank + self.tuples.choose[subset.len() - 1][value as usize];
                self.extend(subset, &both, rank, value + 1);
            }
            subset.pop();
        }
    }
}

/// Visits all subsets of at least two values.
fn for_each_part(values: &[u32], visit: &mut impl FnMut(&[u32])) {
    let mut part = Vec::with_capacity(values.len());
    for pick in 1u32..1 << values.len() {
        if pick.count_ones() >= 2 {
            part.clear();
            part.extend(
                values.iter().enumerate().filter(|(at, _)| pick >> at & 1 == 1).map(|(_, value)| *value),
            );
            visit(&part);
        }
    }
}

#[inline(always)]
fn and_count(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// Sets one bit.
#[inline]
pub(crate) fn set_bit(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

/// Clears one bit.
#[inline]
pub(crate) fn clear_bit(bits: &mut [u64], at: usize) {
    bits[at / 64] &= !(1 << (at % 64));
}

/// Whether a bit is set.
#[inline]
pub(crate) fn has_bit(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_agree_with_counting_tuples_one_by_one() {
        let owner: Vec<u32> = (0..6).flat_map(|p| [p, p, p]).collect();
        for strength in 1..=5 {
            let mut tuples =
                Tuples::feasible(strength, &owner, &[vec![0, 4], vec![1, 3, 6], vec![17]]).unwrap();
            let row: Vec<u32> = vec![1, 5, 8, 9, 12];
            let mut mask = vec![0; tuples.words];
            row.iter().for_each(|&value| set_bit(&mut mask, value as usize));
            let mut gains = [0; 3];
            tuples.gains(&[15, 16, 17], &row, &mask, &mut gains);
            let all: u32 = [1, 5, 10, 10, 5][strength - 1];
            assert_eq!(gains, [all, all, 0], "strength {strength}");
            let mut full = row.clone();
            full.push(15);
            set_bit(&mut mask, 15);
            let removed = tuples.remove_row(&full, &mask);
            assert_eq!(removed, [6, 15, 20, 15, 6][strength - 1]);
            assert_eq!(tuples.remove_row(&full, &mask), 0);
        }
    }

    #[test]
    fn a_tuple_that_is_taken_out_is_gone_wherever_it_is_stored() {
        let owner: Vec<u32> = (0..5).flat_map(|p| [p, p]).collect();
        for strength in 1..=4 {
            let mut tuples = Tuples::feasible(strength, &owner, &[]).unwrap();
            let (tuple, before) = (&[1, 2, 5, 9][..strength], tuples.count());
            assert!(tuples.remove(tuple) && !tuples.remove(tuple));
            assert_eq!(tuples.count(), before - 1);
        }
    }

    #[test]
    fn ranks_and_subsets_are_inverse() {
        let tuples = Tuples::new(4, 9).unwrap();
        for rank in 0..tuples.subsets() {
            let subset = tuples.subset(rank);
            let mut ranks = Vec::new();
            tuples.ranks(&subset, 3, &mut |rank| ranks.push(rank));
            assert_eq!(ranks, [rank]);
        }
    }

    #[test]
    fn infeasible_sets_take_out_every_tuple_that_contains_them() {
        let owner = [0, 0, 1, 1, 2, 2];
        assert_eq!(Tuples::feasible(3, &owner, &[]).unwrap().count(), 8);
        assert_eq!(Tuples::feasible(3, &owner, &[vec![0, 2]]).unwrap().count(), 6);
        assert_eq!(Tuples::feasible(3, &owner, &[vec![0, 2, 4]]).unwrap().count(), 7);
        assert_eq!(Tuples::feasible(2, &owner, &[vec![5]]).unwrap().count(), 8);
    }
}
