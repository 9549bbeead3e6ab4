//! A lower bound on the size of any array: the largest number of feasible tuples of any t parameters, since
//! each needs a row of its own. It holds under constraints, where the product of sizes does not.

use crate::cover::Requirement;
use crate::model::Model;
use crate::space::Space;
use crate::tuples::has_bit;

/// Choices of parameters that are counted before the search is cut short; the bound stays valid. All pairs of 2,000
/// parameters are within it: under constraints, the best pair may be any.
const VISITS: usize = 2_000_000;

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

/// Rows with an invalid value that any array needs: no row has two, so those of each invalid value add up. Of each, its
/// combinations with the largest other parameters are counted.
pub(crate) fn invalid_bound(model: &Model, space: &Space, fresh: &[Requirement]) -> usize {
    let mut sum = 0;
    for value in 0..space.values() as u32 {
        let (parameter, index) = space.locate(value);
        if !model.parameters[parameter].values[index].invalid {
            continue;
        }
        let own = space.owner[value as usize] as usize;
        let most =
            fresh.iter().filter(|requirement| requirement.parameters.contains(&own)).map(|requirement| {
                let others = requirement.parameters.iter().rev().copied().filter(|&other| other != own);
                let mut chosen: Vec<usize> = others.take(requirement.tuples.strength - 1).collect();
                chosen.push(own);
                chosen.sort_unstable();
                let mut tuples: Vec<Vec<u32>> = vec![Vec::new()];
                for &parameter in &chosen {
                    let values: Vec<u32> =
                        if parameter == own { vec![value] } else { space.ids(parameter).collect() };
                    let longer = |tuple: &Vec<u32>| {
                        let tuple = tuple.clone();
                        values
                            .iter()
                            .map(move |&value| [tuple.as_slice(), &[value]].concat())
                            .collect::<Vec<_>>()
                    };
                    tuples = tuples.iter().flat_map(longer).take(VISITS).collect();
                }
                tuples
                    .iter()
                    .filter(|tuple| tuple.len() == chosen.len() && requirement.requires(tuple))
                    .count()
            });
        sum += most.max().unwrap_or(0);
    }
    sum
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
            let enough = self.visits >= VISITS / self.requirement.tuples.strength.pow(3);
            if enough || product * size.saturating_pow(left as u32) <= self.best {
                return;
            }
            chosen.push(parameter);
            self.extend(chosen, parameter, product * size);
            chosen.pop();
        }
    }

    /// Feasible tuples of ascending parameters.
    fn count(&self, parameters: &[usize]) -> usize {
        self.feasible(parameters, 0, 0)
    }

    fn feasible(&self, parameters: &[usize], depth: usize, rank: usize) -> usize {
        let tuples = &self.requirement.tuples;
        let (low, high) = self.ranges[parameters[depth]];
        if depth + 1 == parameters.len() {
            let bits = tuples.of(rank);
            return (low..high).filter(|&value| has_bit(bits, value as usize)).count();
        }
        (low..high).map(|value| self.feasible(parameters, depth + 1, rank + tuples.part(depth, value))).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::generate::{Config, generate};
    use crate::readers::read_pict;

    #[test]
    fn the_bound_is_that_of_the_best_pair_wherever_it_stands() {
        // Of 400 options only the first two are free: every other pair has three feasible combinations or fewer.
        let mut text: String = (0..400).map(|p| format!("p{p}: 0, 1\n")).collect();
        (2..400).for_each(|p| text.push_str(&format!("[p{p}] = 0 OR [p0] = 1;\n")));
        (2..400).for_each(|p| text.push_str(&format!("[p{p}] = 0;\n")));
        let array = generate(&read_pict(&text).unwrap(), &Config::default()).unwrap();
        assert_eq!(array.lower_bound, 4);
    }
}
