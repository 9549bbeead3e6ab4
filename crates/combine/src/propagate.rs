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
    /// What has to be true once a literal is false: clauses of two, which are most of a feature model.
    binary: Vec<Vec<Literal>>,
    /// The literals of all longer clauses, one clause after the other; the first two of each are watched.
    literals: Vec<Literal>,
    /// Where each longer clause begins, and one more for the end.
    starts: Vec<u32>,
    /// Longer clauses that watch a literal's falsification.
    watches: Vec<Vec<Watch>>,
    trail: Vec<Literal>,
    done: usize,
    /// Values still possible, for each parameter.
    left: Vec<u32>,
    /// Whether the clauses contradict each other by propagation alone.
    pub contradiction: bool,
}

/// A longer clause that watches a literal, and another of its literals: where that one is true, the clause need not be looked
/// at (the blocking literals of MiniSat 2.2).
#[derive(Debug, Clone, Copy)]
struct Watch {
    clause: u32,
    blocker: Literal,
}

impl<'a> Propagator<'a> {
    pub(crate) fn new(space: &'a Space) -> Propagator<'a> {
        let variables = space.cnf.variables as usize;
        let mut propagator = Propagator {
            space,
            state: vec![UNKNOWN; variables],
            binary: vec![Vec::new(); variables * 2],
            literals: Vec::new(),
            starts: vec![0],
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
                &[a, b] => propagator.join(a, b),
                &[a, b, ..] => {
                    let own = propagator.starts.len() as u32 - 1;
                    propagator.watches[a.0 as usize].push(Watch { clause: own, blocker: b });
                    propagator.watches[b.0 as usize].push(Watch { clause: own, blocker: a });
                    propagator.literals.extend(clause);
                    propagator.starts.push(propagator.literals.len() as u32);
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

    /// One of two literals is true.
    fn join(&mut self, a: Literal, b: Literal) {
        self.binary[a.0 as usize].push(b);
        self.binary[b.0 as usize].push(a);
    }

    #[inline]
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

    /// Whether a value is neither chosen nor ruled out.
    pub(crate) fn undecided(&self, value: u32) -> bool {
        self.state[value as usize] == UNKNOWN
    }

    /// The values chosen or forced since a mark.
    pub(crate) fn chosen_since(&self, mark: usize) -> impl Iterator<Item = u32> {
        let values = self.space.values() as u32;
        let since = self.trail[mark..].iter().filter(move |it| !it.negated() && it.variable() < values);
        since.map(|literal| literal.variable())
    }

    /// Rules a value out; false when that cannot be, and then the state is to be taken back.
    pub(crate) fn rule_out(&mut self, value: u32) -> bool {
        self.assume(Literal::positive(value).not())
    }

    /// Never again both of two values, each of which can occur; nothing may be chosen at the time.
    pub(crate) fn forbid(&mut self, a: u32, b: u32) {
        // A value that every row has rules out the other one already.
        if self.undecided(a) && self.undecided(b) {
            self.join(Literal::positive(a).not(), Literal::positive(b).not());
        }
    }

    /// The values that one value forces, and those that it rules out, by propagation alone; nothing when it rules itself out.
    pub(crate) fn consequences(&mut self, value: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        let mark = self.mark();
        let fits = self.alive(value) && self.assume(Literal::positive(value));
        let values = self.space.values() as u32;
        let decided = self.trail[mark..].iter().filter(|literal| literal.variable() < values);
        let (out, forced): (Vec<Literal>, Vec<Literal>) = decided.partition(|literal| literal.negated());
        self.undo(mark);
        let variables = |literals: Vec<Literal>| literals.into_iter().map(Literal::variable).collect();
        fits.then(|| (variables(forced), variables(out)))
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

    /// Visits the clauses with a literal that has just become false.
    fn propagate_clauses(&mut self, falsified: Literal) -> bool {
        for at in 0..self.binary[falsified.0 as usize].len() {
            let other = self.binary[falsified.0 as usize][at];
            if !self.set(other) {
                return false;
            }
        }
        let mut watching = std::mem::take(&mut self.watches[falsified.0 as usize]);
        let (mut kept, mut at) = (0, 0);
        let mut fits = true;
        while at < watching.len() {
            let watch = watching[at];
            at += 1;
            if self.truth(watch.blocker) == 1 || !self.watch_another(watch.clause, falsified) {
                watching[kept] = watch;
                kept += 1;
                if self.truth(watch.blocker) == 1 {
                    continue;
                }
                // No literal but the other watched one is left, which has to be true.
                let other = self.literals[self.starts[watch.clause as usize] as usize];
                watching[kept - 1].blocker = other;
                if !self.set(other) {
                    fits = false;
                    break;
                }
            }
        }
        watching.copy_within(at.., kept);
        watching.truncate(kept + watching.len() - at);
        self.watches[falsified.0 as usize] = watching;
        fits
    }

    /// Puts the falsified literal of a longer clause second, and a literal that is not false in its place if there is one.
    fn watch_another(&mut self, clause: u32, falsified: Literal) -> bool {
        let (from, to) = (self.starts[clause as usize] as usize, self.starts[clause as usize + 1] as usize);
        if self.literals[from] == falsified {
            self.literals.swap(from, from + 1);
        }
        let first = self.literals[from];
        if self.truth(first) == 1 {
            return false;
        }
        let Some(other) = (from + 2..to).find(|&at| self.truth(self.literals[at]) != 0) else { return false };
        self.literals.swap(from + 1, other);
        self.watches[self.literals[from + 1].0 as usize].push(Watch { clause, blocker: first });
        true
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
            // Without auxiliary variables, what propagation let pass satisfies every clause.
            let settled = self.space.cnf.variables as usize == self.space.values();
            return row.filter(|row| settled || self.space.valid(row));
        }
        None
    }
}
