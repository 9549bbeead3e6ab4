//! The published search (Algorithm 2): from a failing path depth-first to the first passing one.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use twinrun_base::{Budget, Case, Domain, IntKind, Verdict};
use twinrun_explore::{Condition, Engine, Flip, Kind, Path, Source, flip};
use twinrun_solve::Solver;
use twinrun_term::{Symbol, Term, Terms};

use crate::error::Error;
use crate::named::{in_runs, shared};
use crate::report::Search;

/// How far one search may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) budget: Budget,
    pub(crate) paths: u64,
    /// All searches together give up after so many conditions that the solver could not decide: each costs its whole limit.
    pub(crate) unknown: u64,
    /// Lengths, and whatever decides an address, keep their values: the conditions on all other inputs become simple ones
    /// (Godefroid, Klarlund, Sen: DART).
    pub(crate) narrow: bool,
}

/// A failing path and its passing neighbour.
pub(crate) struct Found {
    pub(crate) failing: Path,
    pub(crate) passing: Path,
    /// The branch where they part, among the branches of the runs.
    pub(crate) index: usize,
}

/// How a search from one case ended.
pub(crate) enum Ended {
    Found(Box<Found>),
    /// Every path that keeps the conditions outside of runs was seen.
    Exhausted,
    /// A limit was reached, or something could not be decided.
    Open,
}

/// Searches a passing neighbour of a violated case.
pub(crate) fn search(
    engine: &mut Engine,
    solver: &mut Solver,
    relation: &str,
    case: &Case,
    limit: Limit,
    counters: &mut Search,
) -> Result<(Ended, Option<Path>), Error> {
    // The violated case itself is run whatever is left: without it there is nothing to begin from.
    let budget = engine.domain.budget.take();
    let ran = engine.run(Source::Case(case.clone()));
    engine.domain.budget = budget;
    let mut path = ran?;
    counters.paths += 1;
    if path.verdict != Verdict::Violated {
        return Err(Error::NotViolated {
            relation: relation.to_owned(),
            verdict: path.verdict,
            case: case.to_string(),
        });
    }
    let first = path.clone();
    // The conditions that were negated on the way to this path, with the outcomes that were taken there (R of the algorithm).
    let mut negated: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
    let mut depth = path.conditions.len();
    let mut complete = !limit.narrow;
    let mut conditions = simplified(&mut engine.domain.terms, &path, limit.narrow);
    let mut paths = 0;
    while depth > 0 {
        let index = depth - 1;
        let condition = path.conditions[index];
        let many = condition.kind.is_many();
        if !is_candidate(&path, index) || (negated.contains_key(&index) && !many) {
            negated.remove(&index);
            depth -= 1;
            continue;
        }
        if limit.budget.is_over() || paths >= limit.paths || counters.unknown >= limit.unknown {
            return Ok((Ended::Open, Some(first)));
        }
        let taken = negated.get(&index).cloned().unwrap_or_default();
        counters.negated += 1;
        let terms = &mut engine.domain.terms;
        let model = match flip(terms, solver, &conditions, index, &taken, &path.model) {
            Flip::Inputs { model, approximated } => {
                counters.approximated += u64::from(approximated);
                // Where inputs were fixed, others may exist that pass.
                complete &= !approximated;
                model
            }
            Flip::Impossible => {
                counters.infeasible += 1;
                negated.remove(&index);
                depth -= 1;
                continue;
            }
            Flip::Unknown(_) => {
                counters.unknown += 1;
                complete = false;
                negated.remove(&index);
                depth -= 1;
                continue;
            }
        };
        let next = engine.run(Source::Model(model))?;
        counters.paths += 1;
        paths += 1;
        let followed = next.conditions.len() > index
            && next.conditions[..index].iter().zip(&path.conditions).all(|(new, old)| new.term == old.term)
            && next.conditions[index].term != condition.term;
        if !followed {
            counters.diverged += 1;
            complete = false;
            negated.remove(&index);
            depth -= 1;
            continue;
        }
        match next.verdict {
            Verdict::Holds => {
                let index = shared(&in_runs(&path), &in_runs(&next));
                let found = Found { failing: path, passing: next, index };
                return Ok((Ended::Found(Box::new(found)), Some(first)));
            }
            Verdict::Violated => {
                let mut taken = taken;
                taken.push(conditions[index].term);
                negated.insert(index, taken);
                depth = next.conditions.len();
                path = next;
                conditions = simplified(&mut engine.domain.terms, &path, limit.narrow);
            }
            _ => {
                // Neither failing nor passing: what lies beyond it is not looked at.
                counters.broken += 1;
                complete = false;
                negated.remove(&index);
                depth -= 1;
            }
        }
    }
    Ok((if complete { Ended::Exhausted } else { Ended::Open }, Some(first)))
}

/// The conditions of a path; in a narrow search with the values of all inputs that are kept.
fn simplified(terms: &mut Terms, path: &Path, narrow: bool) -> Vec<Condition> {
    if !narrow {
        return path.conditions.clone();
    }
    let lengths = path.drawn.iter().filter_map(|drawn| match drawn.domain {
        Domain::Int { kind: IntKind::Length, .. } => drawn.symbols.first().copied(),
        _ => None,
    });
    let mut kept: BTreeSet<Symbol> = lengths.collect();
    for condition in path.conditions.iter().filter(|condition| condition.kind == Kind::Fixed) {
        kept.extend(terms.free_symbols(condition.term));
    }
    let mut values: FxHashMap<Term, Term> = FxHashMap::default();
    for symbol in kept {
        let value = path.model.value(terms, symbol);
        if let Some(value) = terms.value_term(terms.symbol_info(symbol).sort, &value) {
            values.insert(terms.symbol_term(symbol), value);
        }
    }
    let simple = |condition: &Condition| Condition {
        term: terms.substitute(condition.term, &mut values),
        ..*condition
    };
    path.conditions.iter().map(simple).collect()
}

/// Conditions of branches of user code inside runs; those of the transformation, of assumptions, of checks and of libraries are kept.
fn is_candidate(path: &Path, index: usize) -> bool {
    let condition = &path.conditions[index];
    condition.run.is_some()
        && matches!(condition.kind, Kind::Branch { .. } | Kind::Switch { .. })
        && path.site(condition).is_some()
}
