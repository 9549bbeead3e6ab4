//! The proof of one way outside the loops: candidates from samples, those that are inductive, and the property.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use twinrun_base::{Case, Value};
use twinrun_explore::{Arrival, Engine, Kind, Looped};
use twinrun_solve::Solver;
use twinrun_term::{Rational, Sort, Symbol, Term, readable, smt};

use super::Way;
use super::alignment::{Pace, beginnings, fitting, stepped};
use super::polynomials::{Polynomial, vanishing};
use super::reals::{Reals, exact};
use crate::report::Obligation;

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
struct Known<'a> {
    premises: Vec<Term>,
    /// When all loops end.
    exits: Vec<Term>,
    property: Term,
    runs: Vec<u32>,
    longest: &'a Looped,
    samples: &'a [(Case, Looped)],
}

/// A variable with the number that it had in each sample.
struct Variable {
    term: Term,
    numbers: Vec<Rational>,
    is_loop: bool,
}

impl Attempt<'_> {
    fn real(&mut self, term: Term) -> Option<Term> {
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
        let text = smt::script(&self.reals.terms, &all, states);
        self.obligations.push(Obligation { states: states.to_owned(), text });
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
                Some((left, right)) if is_equality(&check.text) => {
                    let (left, right) = (self.real(left)?, self.real(right)?);
                    self.reals.terms.eq(left, right)
                }
                _ => self.real(check.property)?,
            });
        }
        let property = self.reals.terms.and(&properties);
        if longest.arrivals.is_empty() {
            premises.extend(exits);
            return Some(self.follows(&premises, property, "without turns the property follows"));
        }
        let mut runs: Vec<u32> = longest.cells.keys().copied().collect();
        runs.sort_unstable();
        let mut loops: Vec<Turning> = Vec::new();
        for &run in &runs {
            loops.push(self.turning(longest, run)?);
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

    /// The variables with their numbers in all samples, one for each arrival that all runs have.
    fn variables(
        &mut self,
        known: &Known<'_>,
        paces: &[Pace],
        live: &BTreeSet<Symbol>,
    ) -> Option<Vec<Variable>> {
        let Known { runs, longest, samples, .. } = known;
        let mut variables: Vec<Variable> = Vec::new();
        for (&run, pace) in runs.iter().zip(paces) {
            for (index, (_, symbol)) in longest.cells[&run].iter().enumerate() {
                let term = self.real(*symbol)?;
                if self.reals.terms.as_symbol(term).is_none_or(|symbol| !live.contains(&symbol)) {
                    continue;
                }
                let mut numbers = Vec::new();
                for (_, looped) in *samples {
                    for step in 0..beginnings(looped, runs, paces) {
                        let number = pace.arrival(step);
                        let arrival = looped.arrivals.iter().filter(|it| it.run == run).nth(number)?;
                        numbers.push(exact(*arrival.numbers.get(index)?)?);
                    }
                }
                variables.push(Variable { term, numbers, is_loop: true });
            }
        }
        let names: Vec<String> = samples.first()?.0.inputs.iter().map(|input| input.name.clone()).collect();
        for (position, name) in names.iter().enumerate() {
            // Only inputs that the proof speaks of.
            let Some(symbol) = self.reals.terms.find_symbol(name).filter(|it| live.contains(it)) else {
                continue;
            };
            let term = self.reals.terms.symbol_term(symbol);
            let mut numbers = Vec::new();
            for (case, looped) in *samples {
                let number = match &case.inputs[position].value {
                    Value::Int(number) => Rational::whole((*number).into()),
                    Value::Float(number) => exact(*number)?,
                    _ => return None,
                };
                numbers.extend(std::iter::repeat_n(number, beginnings(looped, runs, paces)));
            }
            variables.push(Variable { term, numbers, is_loop: false });
        }
        Some(variables)
    }

    fn candidates(
        &mut self,
        known: &Known<'_>,
        paces: &[Pace],
        live: &BTreeSet<Symbol>,
        begin: &FxHashMap<Term, Term>,
    ) -> Option<Vec<Term>> {
        let mut variables = self.variables(known, paces, live)?;
        let mut candidates = self.differences(known, paces, &variables, begin);
        // Variables that are always equal stand for each other.
        let mut position = 0;
        while position < variables.len() {
            let same = (0..position).find(|&earlier| {
                variables[earlier].numbers == variables[position].numbers && variables[position].is_loop
            });
            if let Some(earlier) = same {
                let (a, b) = (variables[earlier].term, variables[position].term);
                if self.reals.terms.sort(a) == self.reals.terms.sort(b) {
                    candidates.push(self.reals.terms.eq(b, a));
                    variables.remove(position);
                    continue;
                }
            }
            position += 1;
        }
        // Orders between counters and inputs, and the least values that counters had.
        for counter in variables.iter().filter(|variable| variable.is_loop) {
            if self.reals.terms.sort(counter.term) != Sort::Int {
                continue;
            }
            let least = counter.numbers.iter().filter_map(|number| number.as_whole()).min()?;
            let least = self.reals.terms.int(least);
            candidates.push(self.reals.terms.num_le(least, counter.term));
            for input in variables.iter().filter(|variable| !variable.is_loop) {
                let at_most =
                    |(a, b): (&Rational, &Rational)| a.negated().plus(*b).is_some_and(|it| it.signum() >= 0);
                if self.reals.terms.sort(input.term) == Sort::Int
                    && counter.numbers.iter().zip(&input.numbers).all(at_most)
                {
                    candidates.push(self.reals.terms.num_le(counter.term, input.term));
                }
            }
        }
        for degree in [1, 2] {
            // What a lower degree tells needs no higher one.
            let samples: Vec<Vec<Rational>> = (0..variables[0].numbers.len())
                .map(|sample| variables.iter().map(|variable| variable.numbers[sample]).collect())
                .collect();
            let Some(found) = vanishing(&samples, variables.len(), degree) else { continue };
            let mut told: Vec<usize> = Vec::new();
            for polynomial in found {
                let touches =
                    polynomial.iter().any(|(monomial, _)| monomial.iter().any(|&it| variables[it].is_loop));
                if !touches {
                    continue;
                }
                candidates.push(self.vanishes(&polynomial, &variables));
                if degree == 1 {
                    told.extend(polynomial[0].0.iter().filter(|&&it| variables[it].is_loop));
                }
            }
            told.sort_unstable();
            told.dedup();
            for position in told.into_iter().rev() {
                variables.remove(position);
            }
        }
        Some(candidates)
    }

    /// Variables whose difference stays what it was at the beginning, whatever that is.
    fn differences(
        &mut self,
        known: &Known<'_>,
        paces: &[Pace],
        variables: &[Variable],
        begin: &FxHashMap<Term, Term>,
    ) -> Vec<Term> {
        let mut spans: Vec<std::ops::Range<usize>> = Vec::new();
        for (_, looped) in known.samples {
            let start = spans.last().map_or(0, |span| span.end);
            spans.push(start..start + beginnings(looped, &known.runs, paces));
        }
        let mut found = Vec::new();
        for (number, one) in variables.iter().enumerate().filter(|(_, it)| it.is_loop) {
            for other in variables[..number].iter().filter(|it| it.is_loop) {
                let (Some(&from), Some(&to)) = (begin.get(&one.term), begin.get(&other.term)) else {
                    continue;
                };
                if self.reals.terms.sort(one.term) != self.reals.terms.sort(other.term)
                    || (self.reals.terms.is_constant(from) && self.reals.terms.is_constant(to))
                {
                    continue;
                }
                let difference = |at: usize| one.numbers[at].plus(other.numbers[at].negated());
                let stays = |span: &std::ops::Range<usize>| {
                    span.clone()
                        .all(|at| difference(at).is_some() && difference(at) == difference(span.start))
                };
                if spans.iter().all(stays) && one.numbers != other.numbers {
                    let now = self.reals.terms.num_sub(one.term, other.term);
                    let first = self.reals.terms.num_sub(from, to);
                    found.push(self.reals.terms.eq(now, first));
                }
            }
        }
        found
    }

    fn vanishes(&mut self, polynomial: &Polynomial, variables: &[Variable]) -> Term {
        let mut total = self.reals.terms.real(Rational::ZERO);
        for (monomial, factor) in polynomial {
            let mut product = self.reals.terms.real(Rational::ONE);
            for &variable in monomial {
                let mut term = variables[variable].term;
                if self.reals.terms.sort(term) == Sort::Int {
                    term = self.reals.terms.to_real(term);
                }
                product = self.reals.terms.num_mul(product, term);
            }
            let part = self.reals.terms.num_scale(product, *factor);
            total = self.reals.terms.num_add(total, part);
        }
        let zero = self.reals.terms.real(Rational::ZERO);
        self.reals.terms.eq(total, zero)
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

/// Whether a check, as the source has it, is one of equality or nearness.
fn is_equality(text: &str) -> bool {
    text.contains("==") || text.contains('≈')
}
