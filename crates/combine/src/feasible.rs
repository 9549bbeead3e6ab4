//! Which combinations of values can occur: SAT with assumptions, helped by a pool of known rows.

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cnf::{Cnf, Literal};
use crate::error::Error;
use crate::model::Model;
use crate::pairs::{Pairs, Refuting};
use crate::propagate::Propagator;
use crate::random::Random;
use crate::space::{Invalid, Row, Space};

/// Answers whether values can occur together.
pub(crate) struct Feasibility<'a> {
    space: &'a Space,
    solver: BasicSolver,
    variables: FxHashMap<u32, Var>,
    /// SAT calls that found a row, and that found none.
    pub calls: (u64, u64),
}

impl<'a> Feasibility<'a> {
    pub(crate) fn new(space: &'a Space) -> Feasibility<'a> {
        let mut cnf = space.cnf.clone();
        for parameter in 0..space.sizes.len() {
            if !space.rules_of[parameter].is_empty() {
                cnf.exactly_one(&space.ids(parameter).collect::<Vec<u32>>());
            }
        }
        let mut solver = BasicSolver::default();
        let mut variables = FxHashMap::default();
        load(&cnf, &mut solver, &mut variables);
        Feasibility { space, solver, variables, calls: (0, 0) }
    }

    /// A valid row that has all the given values, if there is one. Parameters without constraints that are
    /// not given take their first value.
    pub(crate) fn row(&mut self, values: &[u32]) -> Option<Row> {
        let assumptions: Vec<Lit> = values
            .iter()
            .filter_map(|value| self.variables.get(value))
            .map(|variable| Lit::new(*variable, true))
            .collect();
        if self.solver.solve_limited(&assumptions) != lbool::TRUE {
            self.calls.1 += 1;
            return None;
        }
        self.calls.0 += 1;
        let mut row: Row = self.space.first.clone();
        for (parameter, own) in row.iter_mut().enumerate() {
            let chosen = self.space.ids(parameter).find(|value| {
                self.variables
                    .get(value)
                    .is_some_and(|variable| self.solver.value_var(*variable) == lbool::TRUE)
            });
            *own = chosen.unwrap_or(*own);
        }
        for &value in values {
            row[self.space.owner[value as usize] as usize] = value;
        }
        Some(row)
    }
}

impl Feasibility<'_> {
    /// Notes that two values cannot occur together, which was just found: later answers come quicker.
    pub(crate) fn forbid(&mut self, a: u32, b: u32) {
        if let (Some(a), Some(b)) = (self.variables.get(&a), self.variables.get(&b)) {
            self.solver.add_clause_reuse(&mut vec![Lit::new(*a, false), Lit::new(*b, false)]);
        }
    }
}

fn load(cnf: &Cnf, solver: &mut BasicSolver, variables: &mut FxHashMap<u32, Var>) {
    for clause in &cnf.clauses {
        let mut literals: Vec<Lit> = clause
            .iter()
            .map(|literal| {
                let variable =
                    *variables.entry(literal.variable()).or_insert_with(|| solver.new_var_default());
                Lit::new(variable, !literal.negated())
            })
            .collect();
        solver.add_clause_reuse(&mut literals);
    }
}

/// The smallest sets of values that cannot occur together, of up to `size` values each, sorted;
/// no set contains another.
pub(crate) fn infeasible_sets(
    space: &Space,
    feasibility: &mut Feasibility<'_>,
    size: usize,
    random: &mut Random,
) -> Vec<Vec<u32>> {
    let mut pool = Pool::drawn(space, if size == 1 { POOL_ROWS_ALONE } else { POOL_ROWS }, random);
    let components = space.components();
    let mut names: Vec<usize> = components.iter().flatten().copied().collect();
    names.sort_unstable();
    names.dedup();
    let members = |name: usize| -> Vec<usize> {
        (0..components.len()).filter(|&parameter| components[parameter] == Some(name)).collect()
    };
    let mut found: Vec<Vec<u32>> = Vec::new();
    for exact in 1..=size {
        if exact == 2 {
            let mut dead: Vec<u32> = found.iter().flatten().copied().collect();
            dead.sort_unstable();
            let mut pairs = Pairs::new(space, feasibility, &components, &dead);
            pool.rows.iter().for_each(|row| pairs.settle(row));
            let (infeasible, rows) = pairs.infeasible();
            found.extend(infeasible);
            // Only larger sets are still asked for.
            rows.iter().filter(|_| size > 2).for_each(|row| pool.add(row));
            continue;
        }
        let smaller = Smaller::new(&found);
        for name in &names {
            let members = members(*name);
            if exact > members.len() {
                continue;
            }
            let mut search = Search {
                space,
                feasibility,
                pool: &mut pool,
                members: &members,
                smaller: &smaller,
                found: &mut found,
            };
            search.extend(&mut Vec::new(), 0, exact);
        }
    }
    found
}

/// The values that cannot occur and the pairs that propagation alone rules out, as sorted sets, and what it takes to refute
/// further pairs: where a model is large, these are settled by the rows of the array itself, since rows that are made only to
/// know which pairs can occur would take longer than the array.
pub(crate) fn infeasible_by_propagation(
    space: &Space,
    feasibility: &mut Feasibility<'_>,
    random: &mut Random,
) -> (Vec<Vec<u32>>, Refuting) {
    let components = space.components();
    let mut found = infeasible_sets(space, feasibility, 1, random);
    let mut dead: Vec<u32> = found.iter().flatten().copied().collect();
    dead.sort_unstable();
    let (pairs, refuting) = Pairs::new(space, feasibility, &components, &dead).by_propagation();
    found.extend(pairs);
    (found, refuting)
}

/// Random valid rows that answer most questions without the solver, and draws in vain before there are no more of them.
const POOL_ROWS: usize = 256;
/// The same where only single values are asked for.
const POOL_ROWS_ALONE: usize = 64;
const VAIN: usize = 2;

/// Two values as one key, the smaller first.
fn both(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// Infeasible sets by their size.
struct Smaller {
    single: FxHashSet<u32>,
    pairs: FxHashSet<u64>,
    larger: Vec<Vec<u32>>,
}

impl Smaller {
    fn new(found: &[Vec<u32>]) -> Smaller {
        let mut smaller =
            Smaller { single: FxHashSet::default(), pairs: FxHashSet::default(), larger: Vec::new() };
        for set in found {
            match set[..] {
                [one] => drop(smaller.single.insert(one)),
                [a, b] => drop(smaller.pairs.insert(both(a, b))),
                _ => smaller.larger.push(set.clone()),
            }
        }
        smaller
    }

    /// Whether one of the sets is among the values.
    fn within(&self, values: &[u32]) -> bool {
        let pair =
            |(at, &a): (usize, &u32)| values[at + 1..].iter().any(|&b| self.pairs.contains(&both(a, b)));
        values.iter().any(|value| self.single.contains(value))
            || (!self.pairs.is_empty() && values.iter().enumerate().any(pair))
            || self.larger.iter().any(|set| set.iter().all(|value| values.binary_search(value).is_ok()))
    }
}

/// Known valid rows, and the set of rows that have each value.
struct Pool {
    having: Vec<Vec<u64>>,
    rows: Vec<Row>,
}

impl Pool {
    /// Random valid rows, as many as are easily found.
    fn drawn(space: &Space, rows: usize, random: &mut Random) -> Pool {
        let mut pool = Pool::new(space.values());
        let mut propagator = Propagator::new(space);
        let mut vain = 0;
        while pool.rows.len() < rows && vain < VAIN {
            match propagator.random_row(random) {
                Some(row) => pool.add(&row),
                None => vain += 1,
            }
        }
        pool
    }

    fn new(values: usize) -> Pool {
        Pool { having: vec![Vec::new(); values], rows: Vec::new() }
    }

    fn add(&mut self, row: &[u32]) {
        let (word, bit) = (self.rows.len() / 64, self.rows.len() % 64);
        if bit == 0 {
            self.having.iter_mut().for_each(|set| set.push(0));
        }
        row.iter().for_each(|&value| self.having[value as usize][word] |= 1 << bit);
        self.rows.push(row.to_vec());
    }

    fn knows(&self, values: &[u32]) -> bool {
        let words = self.rows.len().div_ceil(64);
        (0..words).any(|word| {
            values.iter().fold(u64::MAX, |all, &value| all & self.having[value as usize][word]) != 0
        })
    }
}

struct Search<'a, 'b> {
    space: &'a Space,
    feasibility: &'a mut Feasibility<'b>,
    pool: &'a mut Pool,
    members: &'a [usize],
    smaller: &'a Smaller,
    found: &'a mut Vec<Vec<u32>>,
}

impl Search<'_, '_> {
    fn extend(&mut self, chosen: &mut Vec<u32>, from: usize, size: usize) {
        if chosen.len() == size {
            if self.pool.knows(chosen) || self.smaller.within(chosen) {
                return;
            }
            match self.feasibility.row(chosen) {
                Some(row) => self.pool.add(&row),
                None => self.found.push(chosen.clone()),
            }
            return;
        }
        for at in from..self.members.len() {
            for value in self.space.ids(self.members[at]) {
                chosen.push(value);
                self.extend(chosen, at + 1, size);
                chosen.pop();
            }
        }
    }
}

/// Why some values, parameter and value of the model, cannot occur together: a minimal set of constraints that forbid it, or
/// nothing when they can.
///
/// # Errors
/// When a constraint spans too many combinations of values.
pub fn explain(model: &Model, values: &[(usize, usize)]) -> Result<Option<Vec<String>>, Error> {
    let space = Space::new(model, Invalid::AtMostOne)?;
    let mut cells = vec![None; model.parameters.len()];
    for &(parameter, value) in values {
        cells[parameter] = Some(value);
    }
    let fixed: Vec<u32> = space.ids_of(&cells).into_iter().flatten().collect();
    Ok(conflict(&space, model, &fixed))
}

/// A minimal set of constraints that no row with some values satisfies, or nothing when some row satisfies all of them.
pub(crate) fn conflict(space: &Space, model: &Model, fixed: &[u32]) -> Option<Vec<String>> {
    let mut cnf = Cnf { clauses: Vec::new(), variables: space.values() as u32 };
    for parameter in 0..space.sizes.len() {
        if !space.rules_of[parameter].is_empty() {
            cnf.exactly_one(&space.ids(parameter).collect::<Vec<u32>>());
        }
    }
    cnf.clauses.extend(fixed.iter().map(|&value| vec![Literal::positive(value)]));
    let mut selectors: Vec<Literal> = Vec::new();
    for rule in &space.rules {
        let selector = cnf.fresh();
        selectors.push(selector);
        cnf.require(rule, &[selector.not()], &|cell, index| space.first[cell] + index as u32);
        // Mention the selector even when its rule is always true.
        cnf.clauses.push(vec![selector, selector.not()]);
    }
    let mut solver = BasicSolver::default();
    let mut variables = FxHashMap::default();
    load(&cnf, &mut solver, &mut variables);
    let assumption =
        |selector: &Literal| variables.get(&selector.variable()).map(|variable| Lit::new(*variable, true));
    let mut kept: Vec<usize> =
        (0..selectors.len()).filter(|&at| assumption(&selectors[at]).is_some()).collect();
    let mut contradicts = |kept: &[usize]| {
        let assumptions: Vec<Lit> = kept.iter().filter_map(|&at| assumption(&selectors[at])).collect();
        let contradiction = solver.solve_limited(&assumptions) != lbool::TRUE;
        let core: Vec<Lit> = if contradiction { solver.unsat_core().to_vec() } else { Vec::new() };
        (contradiction, core)
    };
    let (contradiction, core) = contradicts(&kept);
    if !contradiction {
        return None;
    }
    kept.retain(|&at| {
        assumption(&selectors[at]).is_some_and(|literal| core.contains(&literal) || core.contains(&!literal))
    });
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        if contradicts(&fewer).0 { kept = fewer } else { at += 1 }
    }
    let text = |at: usize| match model.constraints.get(at) {
        Some(constraint) => format!("{} ({})", constraint.text, constraint.place),
        None => "invalid values are never combined".to_owned(),
    };
    Some(kept.into_iter().map(text).collect())
}

/// The error for a model without any row, with its reasons.
pub(crate) fn contradiction(space: &Space, model: &Model) -> Error {
    Error::Contradiction { conflict: conflict(space, model, &[]).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read_pict;

    #[test]
    fn an_infeasible_combination_is_explained_by_the_fewest_constraints() {
        let model = read_pict(
            "A: 1, 2, ~3\nB: 1, 2, ~3\nC: 1, 2\n[A] <> 1 OR [C] = 2;\n[B] <> 2 OR [C] = 1;\n[A] < 9;\n",
        )
        .unwrap();
        assert_eq!(explain(&model, &[(0, 0), (1, 0)]).unwrap(), None);
        let why = explain(&model, &[(0, 0), (1, 1)]).unwrap().unwrap();
        assert_eq!(why.len(), 2, "{why:?}");
        assert!(why.iter().all(|text| text.contains("[C]")));
        assert_eq!(
            explain(&model, &[(0, 2), (1, 2)]).unwrap().unwrap(),
            ["invalid values are never combined"]
        );
    }
}
