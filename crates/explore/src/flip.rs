//! Turning one condition of a path: inputs that keep the conditions before it and leave it.

use twinrun_solve::{Answer, Reason, Solver};
use twinrun_term::{Model, Term, Terms};

use crate::local::{is_hard, nearby};
use crate::path::Condition;

/// What the solver found for a turned condition.
#[derive(Clone, Debug)]
pub enum Flip {
    /// Inputs that keep the prefix and turn the condition.
    Inputs {
        /// The inputs.
        model: Model,
        /// Some inputs had to be fixed because the solver could not decide without.
        approximated: bool,
    },
    /// There are none.
    Impossible,
    /// The solver could not decide.
    Unknown(Reason),
}

/// Inputs that keep the conditions before `index` and leave that one and all `excluded` ones, near the inputs `model` of the path.
pub fn flip(
    terms: &mut Terms,
    solver: &mut Solver,
    conditions: &[Condition],
    index: usize,
    excluded: &[Term],
    model: &Model,
) -> Flip {
    let (prefix, fresh) = parts(terms, conditions, index, excluded);
    if is_hard(terms, &fresh) || is_hard(terms, &prefix) {
        if let Some(model) = nearby(terms, &prefix, &fresh, model) {
            return Flip::Inputs { model, approximated: false };
        }
        // Fixing most inputs is what was just tried.
        return flip_exactly(terms, solver, conditions, index, excluded, model);
    }
    match flip_exactly(terms, solver, conditions, index, excluded, model) {
        Flip::Unknown(reason) => approximate(terms, solver, &prefix, &fresh, model, reason),
        answer => answer,
    }
}

/// The same, only without fixing inputs where the solver cannot decide.
pub(crate) fn flip_exactly(
    terms: &mut Terms,
    solver: &mut Solver,
    conditions: &[Condition],
    index: usize,
    excluded: &[Term],
    model: &Model,
) -> Flip {
    let (prefix, fresh) = parts(terms, conditions, index, excluded);
    match solver.check_last(terms, &prefix, &fresh, model) {
        Answer::Sat(model) => Flip::Inputs { model, approximated: false },
        Answer::Unsat => Flip::Impossible,
        Answer::Unknown(reason) => Flip::Unknown(reason),
    }
}

/// The conditions that are kept, and those that are left.
fn parts(
    terms: &mut Terms,
    conditions: &[Condition],
    index: usize,
    excluded: &[Term],
) -> (Vec<Term>, Vec<Term>) {
    let prefix = conditions[..index].iter().map(|condition| condition.term).collect();
    let taken = excluded.iter().copied().chain([conditions[index].term]);
    (prefix, taken.map(|term| terms.not(term)).collect())
}

/// Fixes inputs to the path's values one after the other until the solver can decide (Godefroid, Klarlund, Sen: DART).
fn approximate(
    terms: &mut Terms,
    solver: &mut Solver,
    prefix: &[Term],
    fresh: &[Term],
    known: &Model,
    reason: Reason,
) -> Flip {
    let mut symbols: Vec<_> =
        prefix.iter().chain(fresh).flat_map(|&term| terms.free_symbols(term)).copied().collect();
    symbols.sort_unstable();
    symbols.dedup();
    // Symbols that the negated condition does not mention go first.
    let own: Vec<_> = fresh.iter().flat_map(|&term| terms.free_symbols(term)).copied().collect();
    symbols.sort_by_key(|symbol| own.contains(symbol));
    let others = symbols.iter().filter(|symbol| !own.contains(symbol)).count();
    let mut fixed = fresh.to_vec();
    let mut done = 0;
    while done + 1 < symbols.len() && reason != Reason::Spent {
        // First all that the condition does not mention, then half of what is left each time: few attempts, and the last ones
        // leave little open.
        let step = if done < others { others - done } else { (symbols.len() - done).div_ceil(2) };
        for &symbol in &symbols[done..done + step] {
            let term = terms.symbol_term(symbol);
            let value = known.value(terms, symbol);
            if let Some(value) = terms.value_term(terms.symbol_info(symbol).sort, &value) {
                let equal = terms.eq(term, value);
                fixed.insert(0, equal);
            }
        }
        done += step;
        match solver.check_last(terms, prefix, &fixed, known) {
            Answer::Sat(model) => return Flip::Inputs { model, approximated: true },
            Answer::Unsat => break,
            Answer::Unknown(_) => {}
        }
    }
    Flip::Unknown(reason)
}
