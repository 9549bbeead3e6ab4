//! The proof of one way outside the loops: those candidates that are inductive, and the property.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use twinrun_base::{Case, Operator};
use twinrun_explore::{Arrival, Engine, Kind, Looped};
use twinrun_solve::{Solver, logic};
use twinrun_term::{Rational, Symbol, Term, readable, smt};

use super::Way;
use super::alignment::{Pace, fitting, stepped};
use super::reals::Reals;
use crate::certificate::{Kind as Obliged, Obligation};

/// The proof of one way.
pub(super) struct Attempt<'a> {
    pub(super) reals: Reals,
    pub(super) solver: &'a mut Solver,
    pub(super) engine: &'a mut Engine,
    /// What the proof rests on.
    pub(super) obligations: Vec<Obligation>,
}

/// The loop of one run: its variables with their first values and with what a turn makes of them, and when there is a turn.
#[derive(Default)]
struct Turning {
    begin: FxHashMap<Term, Term>,
    turn: FxHashMap<Term, Term>,
    guard: Vec<Term>,
    /// Variables whose values mean nothing over the reals, such as halves of a double that a call left behind.
    strange: Vec<Term>,
}

/// What a proof starts from.
pub(super) struct Known<'a> {
    premises: Vec<Term>,
    /// When all loops end.
    exits: Vec<Term>,
    property: Term,
    pub(super) runs: Vec<u32>,
    pub(super) longest: &'a Looped,
    pub(super) samples: &'a [(Case, Looped)],
}

impl Attempt<'_> {
    pub(super) fn real(&mut self, term: Term) -> Option<Term> {
        self.reals.translate(&self.engine.domain.terms, term)
    }

    fn unsat(&mut self, conditions: &[Term]) -> bool {
        let mut all = conditions.to_vec();
        all.extend(&self.reals.quotients);
        self.solver.check(&mut self.reals.terms, &all).is_unsat()
    }

    /// Whether something follows; if so, that becomes part of the proof.
    fn follows(&mut self, from: &[Term], goal: Term, states: &str) -> bool {
        if self.reals.terms.as_bool(goal) == Some(true) {
            return true;
        }
        let mut query = from.to_vec();
        query.push(self.reals.terms.not(goal));
        if !self.unsat(&query) {
            return false;
        }
        self.oblige(&query, states);
        true
    }

    fn oblige(&mut self, query: &[Term], states: &str) {
        let all: Vec<Term> = query.iter().chain(&self.reals.quotients).copied().collect();
        let text = smt::script(&self.reals.terms, &all, logic(&self.reals.terms, &all), states);
        self.obligations.push(Obligation { kind: Obliged::Invariant, states: states.to_owned(), text });
    }

    pub(super) fn prove(&mut self, conditions: &[Term], samples: &[(Case, Looped)]) -> (Way, Option<String>) {
        let shown = readable::show_conjunction(&self.engine.domain.terms, conditions);
        let mut way = Way { when: shown, ..Way::default() };
        match self.attempt(conditions, samples, &mut way) {
            Some(true) => {
                way.proved = true;
                (way, None)
            }
            Some(false) => {
                let reason = format!("the property does not follow when {}", way.when);
                (way, Some(reason))
            }
            None => {
                let reason = format!("when {}, the loops have no form that is understood", way.when);
                (way, Some(reason))
            }
        }
    }

    fn attempt(&mut self, conditions: &[Term], samples: &[(Case, Looped)], way: &mut Way) -> Option<bool> {
        // The sample with the most turns tells what a turn does.
        let (_, longest) = samples.iter().max_by_key(|(_, looped)| looped.arrivals.len())?;
        let mut premises: Vec<Term> = Vec::new();
        let given = longest.path.conditions.iter().filter(|condition| condition.kind != Kind::Check);
        let mut exits = Vec::new();
        for condition in given {
            let image = self.real(condition.term)?;
            if conditions.contains(&condition.term) || condition.kind == Kind::Input {
                premises.push(image);
            } else {
                exits.push(image);
            }
        }
        let mut properties = Vec::new();
        for check in &longest.path.checks {
            properties.push(match check.sides {
                // Over the reals what is near on doubles is equal.
                Some((left, right)) if matches!(check.operator, Operator::Eq | Operator::Near) => {
                    let (left, right) = (self.real(left)?, self.real(right)?);
                    self.reals.terms.eq(left, right)
                }
                _ => self.real(check.property)?,
            });
        }
        let property = self.reals.terms.and(&properties);
        if longest.arrivals.is_empty() {
            premises.extend(exits);
            if !self.divides(&premises) {
                return None;
            }
            return Some(self.follows(&premises, property, "without turns the property follows"));
        }
        let mut runs: Vec<u32> = longest.cells.keys().copied().collect();
        runs.sort_unstable();
        let mut loops: Vec<Turning> = Vec::new();
        for &run in &runs {
            loops.push(self.turning(longest, run)?);
        }
        if !self.apart(&loops) {
            return None;
        }
        let sampled: Vec<&Looped> = samples.iter().map(|(_, looped)| looped).collect();
        let known = Known { premises, exits, property, runs, longest, samples };
        let mut answer = None;
        for paces in fitting(&sampled, &known.runs) {
            let plain = paces.iter().all(|pace| pace.is_plain());
            // A quotient by a loop variable has one meaning only where a step is one turn.
            if !plain && self.divides_by_a_variable(&loops) {
                continue;
            }
            let kept = self.obligations.len();
            answer = self.align(&known, &loops, &paces, way);
            if answer == Some(true) {
                if !plain {
                    way.steps = Some(describe(&known.runs, &paces));
                }
                break;
            }
            self.obligations.truncate(kept);
        }
        answer
    }

    /// What one turn of a run's loop does: every turn that was sampled must do the same.
    fn turning(&mut self, longest: &Looped, run: u32) -> Option<Turning> {
        let arrivals: Vec<&Arrival> = longest.arrivals.iter().filter(|arrival| arrival.run == run).collect();
        let turns = arrivals.get(1..).filter(|turns| !turns.is_empty())?;
        let same = |arrival: &&Arrival| {
            let terms = |of: &Arrival| of.turn.iter().map(|condition| condition.term).collect::<Vec<_>>();
            arrival.values == turns[0].values && terms(arrival) == terms(turns[0])
        };
        if !turns.iter().all(same) {
            return None;
        }
        let mut turning = Turning::default();
        for condition in &turns[0].turn {
            turning.guard.push(self.real(condition.term)?);
        }
        for (index, (_, symbol)) in longest.cells[&run].iter().enumerate() {
            let symbol = self.real(*symbol)?;
            match (self.real(arrivals[0].values[index]), self.real(turns[0].values[index])) {
                (Some(begin), Some(turn)) => {
                    turning.begin.insert(symbol, begin);
                    turning.turn.insert(symbol, turn);
                }
                _ => turning.strange.push(symbol),
            }
        }
        Some(turning)
    }

    /// Whether no loop reads what the loop of another run has made: only then may they turn together.
    fn apart(&self, loops: &[Turning]) -> bool {
        let terms = &self.reals.terms;
        let own = |turning: &Turning| -> BTreeSet<Symbol> {
            let all = turning.turn.keys().chain(&turning.strange);
            all.filter_map(|&term| terms.as_symbol(term)).collect()
        };
        let all: BTreeSet<Symbol> = loops.iter().flat_map(&own).collect();
        let reads = |term: &Term, allowed: &BTreeSet<Symbol>| {
            terms.free_symbols(*term).iter().any(|symbol| all.contains(symbol) && !allowed.contains(symbol))
        };
        loops.iter().all(|turning| {
            let (own, none) = (own(turning), BTreeSet::new());
            !turning.begin.values().any(|term| reads(term, &none))
                && !turning.turn.values().chain(&turning.guard).any(|term| reads(term, &own))
        })
    }

    /// Whether all quotients have a meaning where this holds.
    fn divides(&mut self, inside: &[Term]) -> bool {
        for (number, divisor) in self.reals.divisors.clone().into_iter().enumerate() {
            let zero = self.reals.terms.real(Rational::ZERO);
            let is_zero = self.reals.terms.eq(divisor, zero);
            // A quotient's own equation excludes divisors of zero: only earlier ones may be used.
            let earlier = &self.reals.quotients[..number];
            let query: Vec<Term> = inside.iter().chain(earlier).copied().chain([is_zero]).collect();
            if !self.solver.check(&mut self.reals.terms, &query).is_unsat() {
                return false;
            }
            let text = smt::script(&self.reals.terms, &query, logic(&self.reals.terms, &query), "a divisor is not zero");
            self.obligations.push(Obligation { kind: Obliged::Invariant, states: "a divisor is not zero".to_owned(), text });
        }
        true
    }

    fn divides_by_a_variable(&self, loops: &[Turning]) -> bool {
        let terms = &self.reals.terms;
        let own = |symbol: &Symbol| {
            loops.iter().flat_map(|it| it.turn.keys()).any(|&key| terms.as_symbol(key) == Some(*symbol))
        };
        self.reals.quotients.iter().any(|&defining| terms.free_symbols(defining).iter().any(own))
    }

    /// The proof where the loops turn at these paces.
    fn align(&mut self, known: &Known<'_>, loops: &[Turning], paces: &[Pace], way: &mut Way) -> Option<bool> {
        let Known { premises, exits, property, .. } = known;
        let (mut begin, mut step) = (FxHashMap::default(), FxHashMap::default());
        let mut guards: Vec<Vec<Term>> = Vec::new();
        for (turning, &pace) in loops.iter().zip(paces) {
            let own = stepped(&mut self.reals.terms, pace, &turning.begin, &turning.turn, &turning.guard);
            let before = self.reals.terms.and(&own.before);
            if !self.follows(premises, before, "the turns before the common ones are taken") {
                return None;
            }
            begin.extend(own.begin);
            step.extend(own.step);
            guards.push(own.guard);
        }
        let mut roots: Vec<Term> = exits.iter().chain(guards.iter().flatten()).copied().collect();
        roots.push(*property);
        let live = self.live(roots, &begin, &step);
        let strange = loops.iter().flat_map(|turning| &turning.strange);
        let symbols: Vec<Symbol> = strange.filter_map(|&term| self.reals.terms.as_symbol(term)).collect();
        if symbols.iter().any(|symbol| live.contains(symbol)) {
            return None;
        }
        let candidates = self.candidates(known, paces, &live, &begin)?;
        let kept = self.inductive(premises, candidates, &begin, &step, &guards);
        way.invariants = kept.iter().map(|&term| readable::show(&self.reals.terms, term)).collect();
        let inside: Vec<Term> = premises.iter().chain(&kept).copied().collect();
        if !self.divides(&inside) {
            return None;
        }
        // All loops turn together: where the invariants hold, one goes on exactly when the others do.
        let goes_on: Vec<Term> = guards.iter().map(|guard| self.reals.terms.and(guard)).collect();
        for &other in &goes_on[1..] {
            let differ = self.reals.terms.xor_bool(goes_on[0], other);
            let agree = self.reals.terms.not(differ);
            if !self.follows(&inside, agree, "the loops go on together") {
                return None;
            }
        }
        // A turn of the form that was sampled, or the end: there is no third way.
        let ends = self.reals.terms.and(exits);
        let either = self.reals.terms.or2(goes_on[0], ends);
        if !self.follows(&inside, either, "the loops go on as they were sampled, or end") {
            return None;
        }
        let outside: Vec<Term> = inside.iter().chain(exits).copied().collect();
        Some(self.follows(&outside, *property, "the property follows when the loops end"))
    }

    /// The symbols on which the guards, the ends of the loops and the property depend.
    fn live(
        &self,
        roots: Vec<Term>,
        begin: &FxHashMap<Term, Term>,
        turn: &FxHashMap<Term, Term>,
    ) -> BTreeSet<Symbol> {
        let terms = &self.reals.terms;
        let mut live: BTreeSet<Symbol> = BTreeSet::new();
        let mut open = roots;
        while let Some(term) = open.pop() {
            for &symbol in terms.free_symbols(term) {
                if live.insert(symbol) {
                    let own = |map: &FxHashMap<Term, Term>| {
                        map.iter()
                            .find(|(of, _)| terms.as_symbol(**of) == Some(symbol))
                            .map(|(_, value)| *value)
                    };
                    open.extend(own(begin));
                    open.extend(own(turn));
                    // Whatever defines a quotient.
                    let defining = self.reals.quotients.iter();
                    open.extend(defining.filter(|term| terms.free_symbols(**term).contains(&symbol)));
                }
            }
        }
        live
    }

    /// Those candidates that hold at the beginning and that a turn keeps, all together (Flanagan and Leino: Houdini).
    fn inductive(
        &mut self,
        premises: &[Term],
        candidates: Vec<Term>,
        begin: &FxHashMap<Term, Term>,
        turn: &FxHashMap<Term, Term>,
        guards: &[Vec<Term>],
    ) -> Vec<Term> {
        let mut kept: Vec<Term> = Vec::new();
        for candidate in candidates {
            let at_begin = self.reals.terms.substitute(candidate, &mut begin.clone());
            let refuted = self.reals.terms.not(at_begin);
            let mut query = premises.to_vec();
            query.push(refuted);
            if self.reals.terms.as_bool(at_begin) == Some(true) || self.unsat(&query) {
                kept.push(candidate);
            }
        }
        loop {
            let before = kept.len();
            for candidate in kept.clone() {
                let after = self.reals.terms.substitute(candidate, &mut turn.clone());
                let refuted = self.reals.terms.not(after);
                let mut query: Vec<Term> =
                    premises.iter().chain(&kept).chain(guards.iter().flatten()).copied().collect();
                query.push(refuted);
                let keeps =
                    self.reals.terms.as_bool(after) == Some(true) || after == candidate || self.unsat(&query);
                if !keeps {
                    kept.retain(|&other| other != candidate);
                }
            }
            if kept.len() == before {
                self.certify(premises, &kept, begin, turn, guards);
                return kept;
            }
        }
    }

    /// The obligations of inductive invariants that are not plain from their form.
    fn certify(
        &mut self,
        premises: &[Term],
        kept: &[Term],
        begin: &FxHashMap<Term, Term>,
        turn: &FxHashMap<Term, Term>,
        guards: &[Vec<Term>],
    ) {
        let all: Vec<Term> = premises.iter().chain(kept).chain(guards.iter().flatten()).copied().collect();
        for &invariant in kept {
            let shown = readable::show(&self.reals.terms, invariant);
            let states = [
                (begin, premises, format!("at the beginning {shown}")),
                (turn, &all[..], format!("a turn keeps {shown}")),
            ];
            for (map, from, states) in states {
                let goal = self.reals.terms.substitute(invariant, &mut map.clone());
                if self.reals.terms.as_bool(goal) == Some(true) || goal == invariant {
                    continue;
                }
                let mut query = from.to_vec();
                query.push(self.reals.terms.not(goal));
                self.oblige(&query, &states);
            }
        }
    }
}

/// How the loops turn together, in words.
fn describe(runs: &[u32], paces: &[Pace]) -> String {
    let one = |(run, pace): (&u32, &Pace)| {
        let turns = if pace.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", pace.turns) };
        let before =
            if pace.peeled > 0 { format!(" after the first {}", pace.peeled) } else { String::new() };
        format!("{turns} of run {}{before}", run + 1)
    };
    let parts: Vec<String> = runs.iter().zip(paces).map(one).collect();
    parts.join(" with ")
}
