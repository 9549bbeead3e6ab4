//! Rules as clauses over "this cell has this value", for the SAT solver and for unit propagation.

use rustc_hash::FxHashMap;

use crate::rule::{Rule, within};

/// A literal: the variable's number times two, plus one when negated. Variables below
/// the number of values are values; the others name parts of formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Literal(pub u32);

impl Literal {
    pub(crate) fn positive(variable: u32) -> Literal {
        Literal(variable << 1)
    }

    pub(crate) fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Clauses, and how many variables they use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cnf {
    pub clauses: Vec<Vec<Literal>>,
    pub variables: u32,
}

impl Cnf {
    pub(crate) fn fresh(&mut self) -> Literal {
        self.variables += 1;
        Literal::positive(self.variables - 1)
    }

    /// Adds clauses that say: one of the `guard` literals is true, or the rule holds.
    /// `value` gives the variable of a cell's value.
    pub(crate) fn require(&mut self, rule: &Rule, guard: &[Literal], value: &impl Fn(usize, usize) -> u32) {
        match rule {
            Rule::Constant(true) => {}
            Rule::Constant(false) => self.clauses.push(guard.to_vec()),
            Rule::And(parts) => parts.iter().for_each(|part| self.require(part, guard, value)),
            Rule::Or(parts) => self.require_any(parts, guard, value),
            Rule::Single { cell, allowed } => {
                let mut clause = guard.to_vec();
                clause.extend(single(*cell, allowed, value));
                self.clauses.push(clause);
            }
            Rule::Table { cells, sizes, allowed } => {
                self.require_table(cells, sizes, allowed, &mut guard.to_vec(), value);
            }
            Rule::Sum { cells, worth, bound, strict } => {
                self.require_sum(cells, worth, *bound, *strict, guard, value);
            }
        }
    }

    fn require_any(&mut self, parts: &[Rule], guard: &[Literal], value: &impl Fn(usize, usize) -> u32) {
        let mut clause = guard.to_vec();
        let mut others = Vec::new();
        for part in parts {
            match part {
                Rule::Single { cell, allowed } => clause.extend(single(*cell, allowed, value)),
                other => others.push(other),
            }
        }
        if let [only] = others.as_slice() {
            return self.require(only, &clause, value);
        }
        for part in others {
            let chosen = self.fresh();
            clause.push(chosen);
            self.require(part, &[chosen.not()], value);
        }
        self.clauses.push(clause);
    }

    /// Walks the table as a decision tree and forbids its wholly forbidden branches.
    fn require_table(
        &mut self,
        cells: &[usize],
        sizes: &[usize],
        allowed: &[bool],
        clause: &mut Vec<Literal>,
        value: &impl Fn(usize, usize) -> u32,
    ) {
        if allowed.iter().all(|a| *a) {
            return;
        }
        if allowed.iter().all(|a| !*a) {
            self.clauses.push(clause.clone());
            return;
        }
        let width = allowed.len() / sizes[0];
        for index in 0..sizes[0] {
            clause.push(Literal::positive(value(cells[0], index)).not());
            self.require_table(
                &cells[1..],
                &sizes[1..],
                &allowed[index * width..(index + 1) * width],
                clause,
                value,
            );
            clause.pop();
        }
    }

    /// A decision diagram over partial sums: equal sums at one level share a variable.
    fn require_sum(
        &mut self,
        cells: &[usize],
        worth: &[Vec<f64>],
        bound: f64,
        strict: bool,
        guard: &[Literal],
        value: &impl Fn(usize, usize) -> u32,
    ) {
        let extreme = |pick: fn(f64, f64) -> f64, start: f64| -> Vec<f64> {
            let mut rest = vec![0.0; cells.len() + 1];
            for at in (0..cells.len()).rev() {
                rest[at] = rest[at + 1] + worth[at].iter().copied().fold(start, pick);
            }
            rest
        };
        let (least, most) = (extreme(f64::min, f64::INFINITY), extreme(f64::max, f64::NEG_INFINITY));
        // Sums are told apart at a millionth of the tolerance-free grid that models use.
        let key = |sum: f64| (sum * 1e6).round() as i64;
        let mut level: Vec<(f64, Option<Literal>)> = vec![(0.0, None)];
        for (at, &cell) in cells.iter().enumerate() {
            let mut next: FxHashMap<i64, (f64, Literal)> = FxHashMap::default();
            let mut order: Vec<i64> = Vec::new();
            for (sum, node) in &level {
                for (index, worth) in worth[at].iter().enumerate() {
                    let sum = sum + worth;
                    if within(sum + most[at + 1], bound, strict) {
                        continue;
                    }
                    let mut clause = guard.to_vec();
                    clause.extend(node.map(Literal::not));
                    clause.push(Literal::positive(value(cell, index)).not());
                    if within(sum + least[at + 1], bound, strict) {
                        let known = next.get(&key(sum)).map(|(_, literal)| *literal);
                        let literal = known.unwrap_or_else(|| {
                            let literal = self.fresh();
                            next.insert(key(sum), (sum, literal));
                            order.push(key(sum));
                            literal
                        });
                        clause.push(literal);
                    }
                    self.clauses.push(clause);
                }
            }
            level = order.iter().map(|key| next[key]).map(|(sum, literal)| (sum, Some(literal))).collect();
        }
    }

    /// At least one and at most one of the variables; long lists by a ladder of fresh variables.
    pub(crate) fn exactly_one(&mut self, variables: &[u32]) {
        self.clauses.push(variables.iter().map(|variable| Literal::positive(*variable)).collect());
        if variables.len() <= 8 {
            for (at, a) in variables.iter().enumerate() {
                for b in &variables[at + 1..] {
                    self.clauses.push(vec![Literal::positive(*a).not(), Literal::positive(*b).not()]);
                }
            }
            return;
        }
        let mut before: Option<Literal> = None;
        for variable in variables {
            let own = Literal::positive(*variable);
            let seen = self.fresh();
            self.clauses.push(vec![own.not(), seen]);
            if let Some(before) = before {
                self.clauses.push(vec![before.not(), seen]);
                self.clauses.push(vec![before.not(), own.not()]);
            }
            before = Some(seen);
        }
    }
}

/// "The cell has an allowed value" as literals of one clause: one negative literal where all but one are allowed.
fn single(cell: usize, allowed: &[bool], value: &impl Fn(usize, usize) -> u32) -> Vec<Literal> {
    let forbidden: Vec<usize> = (0..allowed.len()).filter(|&index| !allowed[index]).collect();
    if let [only] = forbidden.as_slice() {
        return vec![Literal::positive(value(cell, *only)).not()];
    }
    let allowed = (0..allowed.len()).filter(|&index| allowed[index]);
    allowed.map(|index| Literal::positive(value(cell, index))).collect()
}
