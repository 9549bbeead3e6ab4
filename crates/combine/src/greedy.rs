//! Builds an array row by row: each row starts from the hardest uncovered tuple and is filled value by value,
//! always the one that completes the most uncovered tuples (the scheme of AETG, with bit sets underneath).

use crate::cover::Requirement;
use crate::feasible::Feasibility;
use crate::pairs::Refuting;
use crate::propagate::Propagator;
use crate::random::Random;
use crate::space::{Row, Space};
use crate::tuples::{clear_bit, set_bit};

/// How hard each row is worked on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Rows tried for each row kept.
    pub candidates: usize,
    /// Passes over the cells of the best candidate that change single values for the better.
    pub passes: usize,
}

/// Adds rows until everything is covered or `stop` says so.
pub(crate) fn extend(
    space: &Space,
    (feasibility, mut refuting): (&mut Feasibility<'_>, Option<&mut Refuting>),
    requirements: &mut [Requirement],
    rows: &mut Vec<Row>,
    effort: Effort,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) {
    let mut propagator = Propagator::new(space);
    while !stop() {
        // The requirement with the most left goes first.
        let Some(hardest) = (0..requirements.len())
            .filter(|&at| requirements[at].left > 0)
            .max_by_key(|&at| requirements[at].left)
        else {
            return;
        };
        let Some((subset, completing)) = requirements[hardest].hardest() else { return };
        let mut best: Option<(u32, Row)> = None;
        let mut refuted = false;
        for _ in 0..effort.candidates.max(1) {
            let mut tuple = subset.clone();
            tuple.push(completing[random.below(completing.len())]);
            let Some(row) = fill(space, &mut propagator, feasibility, requirements, &tuple, random) else {
                // Only pairs are ever left to be settled here.
                let [a, b] = tuple[..] else { return };
                let pairs = refuting.as_deref_mut().map_or_else(Vec::new, |own| own.refute(a, b));
                feasibility.forbid(a, b);
                propagator.forbid(a, b);
                for pair in pairs.iter().chain([&tuple]) {
                    for requirement in requirements.iter_mut() {
                        requirement.exclude(pair);
                    }
                }
                refuted = true;
                break;
            };
            if best.as_ref().is_none_or(|(gain, _)| row.0 > *gain) {
                best = Some(row);
            }
        }
        if refuted {
            continue;
        }
        let Some((gain, mut row)) = best else { return };
        for _ in 0..effort.passes {
            if !improve(space, requirements, &mut row, random) {
                break;
            }
        }
        let covered: usize = requirements.iter_mut().map(|requirement| requirement.cover(&row)).sum();
        debug_assert!(
            covered >= 1 && covered as u32 >= gain.min(1),
            "a row covers the tuple that it starts from"
        );
        rows.push(row);
    }
}

/// A partial row in the local numbers of every requirement.
struct Partial {
    values: Vec<u32>,
    mask: Vec<u64>,
}

impl Partial {
    fn empty(requirements: &[Requirement]) -> Vec<Partial> {
        requirements.iter().map(|r| Partial { values: Vec::new(), mask: vec![0; r.tuples.words] }).collect()
    }

    fn insert(&mut self, value: u32) {
        let at = self.values.partition_point(|&own| own < value);
        self.values.insert(at, value);
        set_bit(&mut self.mask, value as usize);
    }

    fn remove(&mut self, value: u32) {
        self.values.retain(|&own| own != value);
        clear_bit(&mut self.mask, value as usize);
    }
}

/// What each candidate value of one parameter would complete, over all requirements.
fn gains(requirements: &[Requirement], partials: &[Partial], candidates: &[u32]) -> Vec<u32> {
    let mut gains = vec![0; candidates.len()];
    for (requirement, partial) in requirements.iter().zip(partials) {
        if requirement.left == 0 || requirement.local[candidates[0] as usize] == u32::MAX {
            continue;
        }
        let local: Vec<u32> = candidates.iter().map(|&value| requirement.local[value as usize]).collect();
        requirement.tuples.gains(&local, &partial.values, &partial.mask, &mut gains);
    }
    gains
}

fn insert(requirements: &[Requirement], partials: &mut [Partial], value: u32) {
    for (requirement, partial) in requirements.iter().zip(partials) {
        let local = requirement.local[value as usize];
        if local != u32::MAX {
            partial.insert(local);
        }
    }
}

/// The best value: the largest gain, ties at random by weight.
fn pick(space: &Space, candidates: &[u32], gains: &[u32], random: &mut Random) -> usize {
    let most = gains.iter().copied().max().unwrap_or(0);
    let tied: Vec<usize> = (0..candidates.len()).filter(|&at| gains[at] == most).collect();
    if tied.len() == 1 {
        return tied[0];
    }
    let total: usize = tied.iter().map(|&at| space.weights[candidates[at] as usize] as usize).sum();
    let mut draw = random.below(total);
    for &at in &tied {
        let weight = space.weights[candidates[at] as usize] as usize;
        if draw < weight {
            return at;
        }
        draw -= weight;
    }
    tied[0]
}

/// A row that contains the given values, and how many uncovered tuples it covers; nothing when no row has them all.
pub(crate) fn fill(
    space: &Space,
    propagator: &mut Propagator<'_>,
    feasibility: &mut Feasibility<'_>,
    requirements: &[Requirement],
    fixed: &[u32],
    random: &mut Random,
) -> Option<(u32, Row)> {
    let start = propagator.mark();
    let filled = try_fill(space, propagator, requirements, fixed, random);
    propagator.undo(start);
    filled.or_else(|| {
        // Propagation ran into a dead end: the solver knows a row, and single values are improved from there.
        let mut row = feasibility.row(fixed)?;
        for (parameter, own) in row.iter_mut().enumerate() {
            let given = fixed.iter().any(|&value| space.owner[value as usize] as usize == parameter);
            if space.rules_of[parameter].is_empty() && !given {
                *own = space.first[parameter] + random.below(space.sizes[parameter]) as u32;
            }
        }
        let mut gain = 0;
        let mut partials = Partial::empty(requirements);
        for &value in &row {
            gain += gains(requirements, &partials, &[value])[0];
            insert(requirements, &mut partials, value);
        }
        Some((gain, row))
    })
}

fn try_fill(
    space: &Space,
    propagator: &mut Propagator<'_>,
    requirements: &[Requirement],
    fixed: &[u32],
    random: &mut Random,
) -> Option<(u32, Row)> {
    let mut row: Row = vec![u32::MAX; space.sizes.len()];
    let mut partials = Partial::empty(requirements);
    let mut gain = 0;
    for &value in fixed {
        if !propagator.choose(value) {
            return None;
        }
        gain += gains(requirements, &partials, &[value])[0];
        insert(requirements, &mut partials, value);
        row[space.owner[value as usize] as usize] = value;
    }
    let mut order: Vec<usize> = (0..row.len()).filter(|&parameter| row[parameter] == u32::MAX).collect();
    random.shuffle(&mut order);
    // Large parameters first: their tuples are the ones that need many rows.
    order.sort_by_key(|&parameter| std::cmp::Reverse(space.sizes[parameter]));
    let mut candidates: Vec<u32> = Vec::new();
    for parameter in order {
        let free = space.rules_of[parameter].is_empty();
        candidates.clear();
        candidates.extend(space.ids(parameter).filter(|&value| free || propagator.alive(value)));
        loop {
            if candidates.is_empty() {
                return None;
            }
            let gained = gains(requirements, &partials, &candidates);
            let at = pick(space, &candidates, &gained, random);
            let value = candidates[at];
            if free || propagator.choose(value) {
                gain += gained[at];
                insert(requirements, &mut partials, value);
                row[parameter] = value;
                break;
            }
            candidates.remove(at);
        }
    }
    // Without auxiliary variables, a complete row that propagation let pass satisfies every clause.
    let settled = space.cnf.variables as usize == space.values();
    Some((gain, row)).filter(|(_, row)| settled || space.valid(row))
}

/// One pass of single-value changes that cover more; false when nothing changed.
fn improve(space: &Space, requirements: &[Requirement], row: &mut Row, random: &mut Random) -> bool {
    let mut partials = Partial::empty(requirements);
    row.iter().for_each(|&value| insert(requirements, &mut partials, value));
    let mut order: Vec<usize> = (0..row.len()).collect();
    random.shuffle(&mut order);
    let mut changed = false;
    for parameter in order {
        if space.sizes[parameter] == 1 {
            continue;
        }
        let old = row[parameter];
        for (requirement, partial) in requirements.iter().zip(&mut partials) {
            let local = requirement.local[old as usize];
            if local != u32::MAX {
                partial.remove(local);
            }
        }
        let candidates: Vec<u32> = space.ids(parameter).collect();
        let gained = gains(requirements, &partials, &candidates);
        let own = gained[(old - space.first[parameter]) as usize];
        let mut better: Vec<(u32, u32)> =
            candidates.iter().zip(&gained).filter(|(_, gain)| **gain > own).map(|(v, g)| (*g, *v)).collect();
        better.sort_unstable_by(|a, b| b.cmp(a));
        for (_, value) in better {
            row[parameter] = value;
            if space.fits(row, parameter) {
                changed = true;
                break;
            }
            row[parameter] = old;
        }
        insert(requirements, &mut partials, row[parameter]);
    }
    changed
}
