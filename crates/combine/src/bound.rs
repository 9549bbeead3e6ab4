//! A lower bound on the size of any array: the largest number of feasible tuples of any t parameters, since
//! each needs a row of its own. It holds under constraints, where the product of sizes does not.

use crate::cover::Requirement;
use crate::tuples::set_bit;

/// Choices of parameters that are counted before the search is cut short; the bound stays valid.
const VISITS: usize = 20_000;

/// The bound for one requirement, whose tuples are all still uncovered.
pub(crate) fn lower_bound(requirement: &Requirement, sizes: &[usize]) -> usize {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut from = 0;
    for &parameter in &requirement.parameters {
        ranges.push((from, from + sizes[parameter] as u32));
        from += sizes[parameter] as u32;
    }
    let mut search = Search { requirement, ranges: &ranges, best: 0, visits: 0 };
    search.extend(&mut Vec::new(), ranges.len(), 1);
    search.best
}

struct Search<'a> {
    requirement: &'a Requirement,
    ranges: &'a [(u32, u32)],
    best: usize,
    visits: usize,
}

impl Search<'_> {
    fn size(&self, parameter: usize) -> usize {
        (self.ranges[parameter].1 - self.ranges[parameter].0) as usize
    }

    /// Chooses parameters from the largest down; sizes ascend with the index, so the product bounds what follows.
    fn extend(&mut self, chosen: &mut Vec<usize>, below: usize, product: usize) {
        let left = self.requirement.tuples.strength - chosen.len();
        if left == 0 {
            self.visits += 1;
            let mut ascending = chosen.clone();
            ascending.reverse();
            let count = self.count(&ascending);
            self.best = self.best.max(count);
            return;
        }
        for parameter in (left - 1..below).rev() {
            let size = self.size(parameter);
            if self.visits >= VISITS || product * size.saturating_pow(left as u32) <= self.best {
                return;
            }
            chosen.push(parameter);
            self.extend(chosen, parameter, product * size);
            chosen.pop();
        }
    }

    /// Feasible tuples of ascending parameters.
    fn count(&self, parameters: &[usize]) -> usize {
        let tuples = &self.requirement.tuples;
        let last = self.ranges[parameters[parameters.len() - 1]];
        let mut mask = vec![0u64; tuples.words];
        (last.0..last.1).for_each(|value| set_bit(&mut mask, value as usize));
        let mut total = 0;
        let mut stack = vec![(0usize, 0usize)];
        while let Some((depth, rank)) = stack.pop() {
            if depth + 1 == parameters.len() {
                total += tuples
                    .of(rank)
                    .iter()
                    .zip(&mask)
                    .map(|(a, b)| (a & b).count_ones() as usize)
                    .sum::<usize>();
                continue;
            }
            let (low, high) = self.ranges[parameters[depth]];
            stack.extend((low..high).map(|value| (depth + 1, rank + tuples.part(depth, value))));
        }
        total
    }
}
