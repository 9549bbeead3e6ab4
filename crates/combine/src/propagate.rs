//! Unit propagation over the clauses of a space, with "exactly one value" built in: the quick look-ahead
//! while a row is filled cell by cell.

use crate::cnf::Literal;
use crate::random::Random;
use crate::space::{Row, Space};

const UNKNOWN: u8 = 2;

/// Partial assignments that can be taken back.
pub(crate) struct Propagator<'a> {
    space: &'a Space,
    /// 1 true, 0 false, 2 unknown; for values and auxiliary variables.
    state: Vec<u8>,
    clauses: Vec<Vec<Literal>>,
    /// Clauses that watch a literal's falsification.
    watches: Vec<Vec<u32>>,
    trail: Vec<Literal>,
    done: usize,
    /// Values still possible, for each parameter.
    left: Vec<u32>,
    /// Whether the clauses contradict each other by propagation alone.
    pub contradiction: bool,
}

impl<'a> Propagator<'a> {
    pub(crate) fn new(space: &'a Space) -> Propagator<'a> {
        let variables = space.cnf.variables as usize;
        let mut propagator = Propagator {
            space,
            state: vec![UNKNOWN; variables],
            clauses: Vec::new(),
            watches: vec![Vec::new(); variables * 2],
            trail: Vec::new(),
            done: 0,
            left: space.sizes.iter().map(|size| *size as u32).collect(),
            contradiction: false,
        };
        let mut units = Vec::new();
        for clause in &space.cnf.clauses {
            match clause.as_slice() {
                [] => propagator.contradiction = true,
                [unit] => units.push(*unit),
                _ => {
                    let index = propagator.clauses.len() as u32;
                    propagator.watches[clause[0].0 as usize].push(index);
                    propagator.watches[clause[1].0 as usize].push(index);
                    propagator.clauses.push(clause.clone());
                }
            }
        }
        for unit in units {
            propagator.contradiction |= !propagator.assume(unit);
        }
        for parameter in 0..space.sizes.len() {
            if space.sizes[parameter] == 1 {
                propagator.contradiction |= !propagator.assume(Literal::positive(space.first[parameter]));
            }
        }
        propagator
    }

    fn truth(&self, literal: Literal) -> u8 {
        match self.state[literal.variable() as usize] {
            UNKNOWN => UNKNOWN,
            state => state ^ u8::from(literal.negated()),
        }
    }

    /// Whether a value is still possible as far as propagation can tell.
    pub(crate) fn alive(&self, value: u32) -> bool {
        self.state[value as usize] != 0
    }

    /// Whether a value is forced or chosen.
    pub(crate) fn chosen(&self, value: u32) -> bool {
        self.state[value as usize] == 1
    }

    /// The mark to go back to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes everything since the mark back.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(literal) = self.trail.pop() {
                let variable = literal.variable() as usize;
                self.state[variable] = UNKNOWN;
                if literal.negated() && variable < self.space.values() {
                    self.left[self.space.owner[variable] as usize] += 1;
                }
            }
        }
        self.done = self.trail.len();
    }

    /// Chooses a value; false when that cannot be, and then nothing has changed.
    pub(crate) fn choose(&mut self, value: u32) -> bool {
        let mark = self.mark();
        let fits = self.assume(Literal::positive(value));
        if !fits {
            self.undo(mark);
        }
        fits
    }

    /// The values that one value rules out by propagation alone; nothing when it rules itself out.
    pub(crate) fn ruled_out_by(&mut self, value: u32) -> Option<Vec<u32>> {
        let mark = self.mark();
        let fits = self.alive(value) && self.assume(Literal::positive(value));
        let values = self.space.values() as u32;
        let out =
            self.trail[mark..].iter().filter(|literal| literal.negated() && literal.variable() < values);
        let out = out.map(|literal| literal.variable()).collect();
        self.undo(mark);
        fits.then_some(out)
    }

    fn assume(&mut self, literal: Literal) -> bool {
        match self.truth(literal) {
            1 => true,
            0 => false,
            _ => self.set(literal) && self.propagate(),
        }
    }

    /// Makes a literal true; false when its parameter has no value left.
    fn set(&mut self, literal: Literal) -> bool {
        match self.truth(literal) {
            1 => return true,
            0 => return false,
            _ => {}
        }
        let variable = literal.variable() as usize;
        self.state[variable] = u8::from(!literal.negated());
        self.trail.push(literal);
        if literal.negated() && variable < self.space.values() {
            self.left[self.space.owner[variable] as usize] -= 1;
        }
        true
    }

    fn propagate(&mut self) -> bool {
        while self.done < self.trail.len() {
            let literal = self.trail[self.done];
            self.done += 1;
            if !self.propagate_parameter(literal) || !self.propagate_clauses(literal.not()) {
                return false;
            }
        }
        true
    }

    fn propagate_parameter(&mut self, literal: Literal) -> bool {
        let variable = literal.variable();
        if variable as usize >= self.space.values() {
            return true;
        }
        let parameter = self.space.owner[variable as usize] as usize;
        if !literal.negated() {
            return self
                .space
                .ids(parameter)
                .filter(|value| *value != variable)
                .all(|value| self.set(Literal::positive(value).not()));
        }
        match self.left[parameter] {
            0 => false,
            1 => {
                let last = self.space.ids(parameter).find(|value| self.alive(*value));
                last.is_some_and(|value| self.set(Literal::positive(value)))
            }
            _ => true,
        }
    }

    /// Visits the clauses that watch a literal which has just become false.
    fn propagate_clauses(&mut self, falsified: Literal) -> bool {
        let mut watching = std::mem::take(&mut self.watches[falsified.0 as usize]);
        let mut kept = 0;
        let mut fits = true;
        let mut at = 0;
        while at < watching.len() {
            let index = watching[at] as usize;
            at += 1;
            if self.clauses[index][0] == falsified {
                self.clauses[index].swap(0, 1);
            }
            let other = self.clauses[index][0];
            if self.truth(other) != 1 {
                let replacement = (2..self.clauses[index].len())
                    .find(|&position| self.truth(self.clauses[index][position]) != 0);
                if let Some(position) = replacement {
                    self.clauses[index].swap(1, position);
                    self.watches[self.clauses[index][1].0 as usize].push(index as u32);
                    continue;
                }
                watching[kept] = index as u32;
                kept += 1;
                if !self.set(other) {
                    fits = false;
                    break;
                }
                continue;
            }
            watching[kept] = index as u32;
            kept += 1;
        }
        while at < watching.len() {
            watching[kept] = watching[at];
            kept += 1;
            at += 1;
        }
        watching.truncate(kept);
        self.watches[falsified.0 as usize] = watching;
        fits
    }

    /// A random valid row by propagation and a little backtracking; nothing when that was not enough.
    pub(crate) fn random_row(&mut self, random: &mut Random) -> Option<Row> {
        self.random_row_with(&[], random)
    }

    /// The same with some values given.
    pub(crate) fn random_row_with(&mut self, given: &[u32], random: &mut Random) -> Option<Row> {
        if self.contradiction {
            return None;
        }
        let before = self.mark();
        let row = given.iter().all(|&value| self.choose(value)).then(|| self.complete(random)).flatten();
        self.undo(before);
        row
    }

    fn complete(&mut self, random: &mut Random) -> Option<Row> {
        let start = self.mark();
        let mut order: Vec<usize> = (0..self.space.sizes.len()).collect();
        'attempt: for _ in 0..20 {
            random.shuffle(&mut order);
            for &parameter in &order {
                let mut values: Vec<u32> =
                    self.space.ids(parameter).filter(|value| self.alive(*value)).collect();
                random.shuffle(&mut values);
                if !values.into_iter().any(|value| self.choose(value)) {
                    self.undo(start);
                    continue 'attempt;
                }
            }
            let chosen = |parameter| self.space.ids(parameter).find(|value| self.chosen(*value));
            let row: Option<Row> = (0..order.len()).map(chosen).collect();
            self.undo(start);
            return row.filter(|row| self.space.valid(row));
        }
        None
    }
}
