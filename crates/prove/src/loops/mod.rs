//! Loops without bound: the loops of all runs turn in lockstep, relations between their variables are guessed from samples and kept where they are
//! inductive, and the property follows when the loops end. Over the reals; the same relation is then tested on doubles.

mod polynomials;
mod reals;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Domain, Input, IntKind, Rng, Value, Verdict};
use twinrun_explore::{Arrival, Engine, Kind, Looped, Refused, Source, Watching};
use twinrun_solve::Solver;
use twinrun_term::{Model, Rational, Sort, Symbol, Term, readable};
use twinrun_testing::executor::Executor;
use twinrun_testing::replay::Replay;

use crate::error::Error;
use crate::prepare::{Config, solver};
use polynomials::{Polynomial, vanishing};
use reals::{Reals, exact};

/// Functions with this prefix stand for any function.
pub(crate) const ANY: &str = "tw_function_";
/// Cases that are sampled.
const SAMPLES: u64 = 60;
/// Cases that are tested on doubles.
const TESTED: u64 = 400;

/// A proof for any number of turns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoopProof {
    /// Whether the relation is proved over the reals, for every number of turns.
    pub proved: bool,
    /// For each way outside the loops its condition and the invariants that were found inductive.
    pub ways: Vec<Way>,
    /// Functions that stand for any function.
    pub any: Vec<String>,
    /// How many cases were tested on doubles, and how many of them violated the relation within its tolerance.
    pub tested: (u64, u64),
    /// A case that violates the relation on doubles.
    pub witness: Option<Case>,
    /// What kept it from being proved.
    pub reasons: Vec<String>,
}

/// One way outside the loops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// When it is taken.
    pub when: String,
    /// Relational invariants: `x0@1` is the first variable that the loop of run 1 changes.
    pub invariants: Vec<String>,
    /// Whether the property follows.
    pub proved: bool,
}

/// Tries to prove a relation for any number of turns of its loops.
pub(crate) fn prove(
    engine: &mut Engine,
    watching: &Watching,
    config: &Config,
    executor: &mut dyn Executor,
    until: Instant,
) -> Result<LoopProof, Error> {
    let mut proof = LoopProof {
        any: watching.any.iter().map(|(_, name)| name.trim_start_matches(ANY).to_owned()).collect(),
        ..LoopProof::default()
    };
    let first = engine.run(Source::Model(Model::new()))?;
    let inputs: Vec<Input> = first.case(&engine.domain.terms, &first.model).inputs;
    let mut rng = Rng::new(7);
    let mut ways: BTreeMap<Vec<Term>, Vec<(Case, Looped)>> = BTreeMap::new();
    let cases: Vec<Case> = (0..SAMPLES).map(|number| small_case(&inputs, &mut rng, number)).collect();
    let sources: Vec<Source> = cases.iter().cloned().map(Source::Case).collect();
    let cells = match engine.loop_cells(&sources, watching) {
        Ok(cells) => cells,
        Err(Refused::Engine(error)) => return Err(error.into()),
        Err(Refused::Form(reason)) => {
            proof.reasons.push(reason.to_owned());
            test(&inputs, executor, &mut proof)?;
            return Ok(proof);
        }
    };
    for case in cases {
        let looped = match engine.run_loops(&Source::Case(case.clone()), watching, &cells) {
            Ok(looped) => looped,
            Err(Refused::Engine(error)) => return Err(error.into()),
            Err(Refused::Form(reason)) => {
                proof.reasons.push(reason.to_owned());
                break;
            }
        };
        if looped.path.checks.is_empty() {
            continue;
        }
        ways.entry(outside(engine, &looped)).or_default().push((case, looped));
    }
    let mut finder = solver(&config.solver, until);
    finder.config_mut().query_limit = config.patience;
    let mut uncovered: Vec<Term> = Vec::new();
    let mut covering = Reals::default();
    let mut all = proof.reasons.is_empty() && !ways.is_empty();
    for (conditions, samples) in &ways {
        let mut attempt = Attempt { reals: Reals::default(), solver: &mut finder, engine };
        let (way, reason) = attempt.prove(conditions, samples);
        all &= way.proved;
        proof.reasons.extend(reason);
        let terms = &engine.domain.terms;
        let images: Option<Vec<Term>> =
            conditions.iter().map(|&term| covering.translate(terms, term)).collect();
        match images {
            Some(images) => {
                let way = covering.terms.and(&images);
                uncovered.push(covering.terms.not(way));
            }
            None => all = false,
        }
        proof.ways.push(way);
    }
    if all && !finder.check(&mut covering.terms, &uncovered).is_unsat() {
        all = false;
        proof.reasons.push("the ways outside the loops that were sampled do not cover all inputs".to_owned());
    }
    proof.proved = all;
    test(&inputs, executor, &mut proof)?;
    if proof.tested.1 > 0 {
        proof.proved = false;
    }
    Ok(proof)
}

/// Runs drawn cases on doubles in the other engine.
fn test(inputs: &[Input], executor: &mut dyn Executor, proof: &mut LoopProof) -> Result<(), Error> {
    let mut rng = Rng::new(11);
    for number in 0..TESTED {
        let case =
            if number % 2 == 0 { small_case(inputs, &mut rng, number) } else { wide_case(inputs, &mut rng) };
        let mut replay = Replay::default();
        replay.begin(&case);
        let ending = executor.run(&mut replay)?;
        proof.tested.0 += 1;
        if ending.verdict == Verdict::Violated {
            proof.tested.1 += 1;
            proof.witness.get_or_insert(case);
        }
    }
    Ok(())
}

/// A case of small whole numbers, for which doubles are exact: powers of two for integers.
fn small_case(inputs: &[Input], rng: &mut Rng, number: u64) -> Case {
    drawn(inputs, |domain| match domain {
        Domain::Float { lo, hi } => Value::Float((rng.range(-4, 4) as f64).clamp(*lo, *hi)),
        Domain::Int { lo, hi, .. } => Value::Int((1i64 << ((number + rng.below(2)) % 4)).clamp(*lo, *hi)),
        _ => Value::Int(0),
    })
}

fn wide_case(inputs: &[Input], rng: &mut Rng) -> Case {
    drawn(inputs, |domain| match domain {
        Domain::Float { lo, hi } => Value::Float(lo + rng.unit() * (hi - lo)),
        Domain::Int { lo, hi, kind } if *kind != IntKind::I64 => {
            Value::Int(rng.range(*lo, (*hi).min(lo + 2000)))
        }
        _ => Value::Int(1),
    })
}

fn drawn(inputs: &[Input], mut value: impl FnMut(&Domain) -> Value) -> Case {
    let one = |input: &Input| Input { value: value(&input.domain), ..input.clone() };
    Case { inputs: inputs.iter().map(one).collect() }
}

/// The conditions of a path that speak of no loop variable and are no check.
fn outside(engine: &Engine, looped: &Looped) -> Vec<Term> {
    let own: Vec<Term> = looped.cells.values().flatten().map(|(_, symbol)| *symbol).collect();
    let terms = &engine.domain.terms;
    let speaks = |term: Term| {
        own.iter().any(|&symbol| {
            terms.as_symbol(symbol).is_some_and(|symbol| terms.free_symbols(term).contains(&symbol))
        })
    };
    let wanted =
        looped.path.conditions.iter().filter(|condition| {
            !matches!(condition.kind, Kind::Check | Kind::Input) && !speaks(condition.term)
        });
    let mut conditions: Vec<Term> = wanted.map(|condition| condition.term).collect();
    conditions.sort_unstable();
    conditions
}

/// The proof of one way.
struct Attempt<'a> {
    reals: Reals,
    solver: &'a mut Solver,
    engine: &'a mut Engine,
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

    fn prove(&mut self, conditions: &[Term], samples: &[(Case, Looped)]) -> (Way, Option<String>) {
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
        let refuted = self.reals.terms.not(property);
        if longest.arrivals.is_empty() {
            premises.extend(exits);
            premises.push(refuted);
            return Some(self.unsat(&premises));
        }
        let mut runs: Vec<u32> = longest.cells.keys().copied().collect();
        runs.sort_unstable();
        let (mut begin, mut turn) = (FxHashMap::default(), FxHashMap::default());
        let mut guards: Vec<Vec<Term>> = Vec::new();
        for &run in &runs {
            let arrivals: Vec<&Arrival> =
                longest.arrivals.iter().filter(|arrival| arrival.run == run).collect();
            let turns = arrivals.get(1..).filter(|turns| !turns.is_empty())?;
            let same = |arrival: &&Arrival| {
                let terms = |of: &Arrival| of.turn.iter().map(|condition| condition.term).collect::<Vec<_>>();
                arrival.values == turns[0].values && terms(arrival) == terms(turns[0])
            };
            if !turns.iter().all(same) {
                return None;
            }
            let mut guard = Vec::new();
            for condition in &turns[0].turn {
                guard.push(self.real(condition.term)?);
            }
            guards.push(guard);
            for (index, (_, symbol)) in longest.cells[&run].iter().enumerate() {
                let symbol = self.real(*symbol)?;
                begin.insert(symbol, self.real(arrivals[0].values[index])?);
                turn.insert(symbol, self.real(turns[0].values[index])?);
            }
        }
        let mut roots: Vec<Term> = exits.iter().chain(guards.iter().flatten()).copied().collect();
        roots.push(property);
        let live = self.live(roots, &begin, &turn);
        let candidates = self.candidates(&runs, longest, samples, &live)?;
        let kept = self.inductive(&premises, candidates, &begin, &turn, &guards);
        way.invariants = kept.iter().map(|&term| readable::show(&self.reals.terms, term)).collect();
        // All loops turn as often: where the invariants hold, one goes on exactly when the others do.
        let goes_on: Vec<Term> = guards.iter().map(|guard| self.reals.terms.and(guard)).collect();
        for &other in &goes_on[1..] {
            let differ = self.reals.terms.xor_bool(goes_on[0], other);
            let mut query: Vec<Term> = premises.iter().chain(&kept).copied().collect();
            query.push(differ);
            if !self.unsat(&query) {
                return None;
            }
        }
        // A turn of the form that was sampled, or the end: there is no third way.
        let ends = self.reals.terms.and(&exits);
        let mut query: Vec<Term> = premises.iter().chain(&kept).copied().collect();
        query.extend([self.reals.terms.not(goes_on[0]), self.reals.terms.not(ends)]);
        if !self.unsat(&query) {
            return None;
        }
        let mut query: Vec<Term> = premises.iter().chain(&kept).chain(&exits).copied().collect();
        query.push(refuted);
        Some(self.unsat(&query))
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
        runs: &[u32],
        longest: &Looped,
        samples: &[(Case, Looped)],
        live: &BTreeSet<Symbol>,
    ) -> Option<Vec<Variable>> {
        let mut variables: Vec<Variable> = Vec::new();
        for &run in runs {
            for (index, (_, symbol)) in longest.cells[&run].iter().enumerate() {
                let term = self.real(*symbol)?;
                if self.reals.terms.as_symbol(term).is_none_or(|symbol| !live.contains(&symbol)) {
                    continue;
                }
                let mut numbers = Vec::new();
                for (_, looped) in samples {
                    for turn in 0..turns(looped, runs) {
                        let arrival = looped.arrivals.iter().filter(|it| it.run == run).nth(turn)?;
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
            for (case, looped) in samples {
                let number = match &case.inputs[position].value {
                    Value::Int(number) => Rational::whole((*number).into()),
                    Value::Float(number) => exact(*number)?,
                    _ => return None,
                };
                numbers.extend(std::iter::repeat_n(number, turns(looped, runs)));
            }
            variables.push(Variable { term, numbers, is_loop: false });
        }
        Some(variables)
    }

    fn candidates(
        &mut self,
        runs: &[u32],
        longest: &Looped,
        samples: &[(Case, Looped)],
        live: &BTreeSet<Symbol>,
    ) -> Option<Vec<Term>> {
        let mut variables = self.variables(runs, longest, samples, live)?;
        let mut candidates = Vec::new();
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
                return kept;
            }
        }
    }
}

/// Whether a check, as the source has it, is one of equality or nearness.
fn is_equality(text: &str) -> bool {
    text.contains("==") || text.contains('≈')
}

/// How many arrivals all runs have.
fn turns(looped: &Looped, runs: &[u32]) -> usize {
    runs.iter()
        .map(|run| looped.arrivals.iter().filter(|arrival| arrival.run == *run).count())
        .min()
        .unwrap_or(0)
}
