//! Loops without bound: the loops of all runs turn in lockstep, relations between their variables are guessed from samples and kept where they are
//! inductive, and the property follows when the loops end. Over the reals; the same relation is then tested on doubles.

mod alignment;
mod attempt;
mod candidates;
mod polynomials;
mod reals;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twinrun_base::{Budget, Case, Domain, Input, IntKind, Rng, Value, Verdict};
use twinrun_explore::{Engine, Kind, Looped, Refused, Source, Watching};
use twinrun_solve::logic;
use twinrun_term::{Model, Term, smt};
use twinrun_testing::executor::Executor;
use twinrun_testing::replay::Replay;

use crate::certificate::{Kind as Obliged, Obligation};
use crate::error::Error;
use crate::prepare::{Config, solver};
use attempt::Attempt;
use reals::Reals;

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
    /// Whether any loop took a turn in the samples.
    #[serde(default)]
    pub turns: bool,
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
    /// How the loops turn together, where that is not one turn of each at a time.
    #[serde(default)]
    pub steps: Option<String>,
    /// Whether the property follows.
    pub proved: bool,
}

/// Tries to prove a relation for any number of turns of its loops.
pub(crate) fn prove(
    engine: &mut Engine,
    watching: &Watching,
    config: &Config,
    executor: &mut dyn Executor,
    until: Budget,
) -> Result<(LoopProof, Vec<Obligation>), Error> {
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
            return Ok((proof, Vec::new()));
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
        let refused = match looped.path.verdict {
            // The ways that are sampled have to cover all inputs, also those that are discarded: none are.
            Verdict::Discarded => continue,
            Verdict::Holds if looped.path.runs == 0 => Some("nothing is run: no RUN is reached"),
            Verdict::Holds if looped.path.checks.is_empty() => {
                Some("nothing is checked: no CHECK is reached")
            }
            Verdict::Holds => None,
            _ => Some("a sampled case does not hold"),
        };
        if let Some(reason) = refused {
            proof.reasons.push(reason.to_owned());
            break;
        }
        proof.turns |= !looped.arrivals.is_empty();
        ways.entry(outside(engine, &looped)).or_default().push((case, looped));
    }
    if !proof.turns && proof.any.is_empty() {
        return Ok((proof, Vec::new()));
    }
    let mut finder = solver(&config.solver, until);
    finder.config_mut().query_limit = config.patience;
    let mut uncovered: Vec<Term> = Vec::new();
    let mut covering = Reals::default();
    let mut all = proof.reasons.is_empty() && !ways.is_empty();
    let mut obligations: Vec<Obligation> = Vec::new();
    for (conditions, samples) in &ways {
        let mut attempt =
            Attempt { reals: Reals::default(), solver: &mut finder, engine, obligations: Vec::new() };
        let (way, reason) = attempt.prove(conditions, samples);
        obligations.append(&mut attempt.obligations);
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
    if all {
        let states = "the ways outside the loops cover all inputs";
        let text = smt::script(&covering.terms, &uncovered, logic(&covering.terms, &uncovered), states);
        obligations.push(Obligation { kind: Obliged::Invariant, states: states.to_owned(), text });
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
    if !proof.proved {
        obligations.clear();
    }
    Ok((proof, obligations))
}

/// Runs drawn cases on doubles in the other engine.
fn test(inputs: &[Input], executor: &mut dyn Executor, proof: &mut LoopProof) -> Result<(), Error> {
    for case in drawn_cases(inputs) {
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

/// The cases that are tested: small numbers, for which doubles are exact, and any numbers in turn.
pub(crate) fn drawn_cases(inputs: &[Input]) -> Vec<Case> {
    let mut rng = Rng::new(11);
    let draw = |number: u64| match number % 2 {
        0 => small_case(inputs, &mut rng, number),
        _ => wide_case(inputs, &mut rng),
    };
    (0..TESTED).map(draw).collect()
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
