//! How the loops of several runs turn together: so many turns of each at a time, after so many turns of their own.

use rustc_hash::FxHashMap;
use twinrun_explore::{Looped, Slot};
use twinrun_term::{Term, Terms};

use super::attempt::Turn;

/// So many turns of one loop at a time, and so many before, are tried.
const MOST_TURNS: usize = 3;
const MOST_PEELED: usize = 2;
/// So many ways are tried.
const MOST_WAYS: usize = 4;

/// The part of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// Turns that it takes alone, before the others begin.
    pub(super) peeled: usize,
    /// Turns that it takes while a loop of another run takes one step of its own.
    pub(super) turns: usize,
}

impl Pace {
    /// One turn at a time from the beginning.
    const PLAIN: Pace = Pace { peeled: 0, turns: 1 };

    /// In which arrival at the loop head a common step begins.
    pub(super) fn arrival(self, step: usize) -> usize {
        self.peeled + step * self.turns
    }

    /// How many common steps so many turns are, if they come out even.
    fn steps(self, turns: usize) -> Option<usize> {
        let rest = turns.checked_sub(self.peeled)?;
        rest.is_multiple_of(self.turns).then_some(rest / self.turns)
    }

    pub(super) fn is_plain(self) -> bool {
        self == Pace::PLAIN
    }
}

/// How many turns the loop of a run took.
fn turns(looped: &Looped, slot: Slot) -> usize {
    looped.arrivals.iter().filter(|arrival| arrival.slot == slot).count().saturating_sub(1)
}

/// How many beginnings of common steps, the end counted too, a sample has.
pub(super) fn beginnings(looped: &Looped, runs: &[Slot], paces: &[Pace]) -> usize {
    let reached = |slot: Slot| looped.arrivals.iter().any(|arrival| arrival.slot == slot);
    let each = runs.iter().zip(paces).map(|(&run, pace)| match pace.steps(turns(looped, run)) {
        Some(steps) if reached(run) => steps + 1,
        _ => 0,
    });
    each.min().unwrap_or(0)
}

/// The ways in which all samples come out even, the simplest first.
pub(super) fn fitting(samples: &[&Looped], runs: &[Slot]) -> Vec<Vec<Pace>> {
    let mut all: Vec<Vec<Pace>> = vec![Vec::new()];
    for _ in runs {
        let longer = |known: &Vec<Pace>| {
            let known = known.clone();
            let paces = (1..=MOST_TURNS)
                .flat_map(|turns| (0..=MOST_PEELED).map(move |peeled| Pace { peeled, turns }));
            paces.map(move |pace| [&known[..], &[pace]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    let counts: Vec<Vec<usize>> =
        samples.iter().map(|looped| runs.iter().map(|&run| turns(looped, run)).collect()).collect();
    all.retain(|paces| {
        let alone = paces.iter().any(|pace| pace.peeled == 0) && paces.iter().any(|pace| pace.turns == 1);
        alone
            && counts.iter().all(|counts| {
                let steps: Vec<Option<usize>> =
                    paces.iter().zip(counts).map(|(pace, &count)| pace.steps(count)).collect();
                steps.iter().all(|known| known.is_some() && *known == steps[0])
            })
    });
    all.sort_by_key(|paces| paces.iter().map(|pace| pace.peeled + pace.turns).sum::<usize>());
    all.truncate(MOST_WAYS);
    all
}

/// A loop in common steps.
pub(super) struct Stepped {
    /// The values with which the common steps begin.
    pub(super) begin: FxHashMap<Term, Term>,
    /// What the steps make of the variables, and when each is taken.
    pub(super) steps: Vec<Turn>,
    /// What must hold for the turns before to be taken.
    pub(super) before: Vec<Term>,
}

/// A loop, given by its first values and its turns, in the steps of a pace. Where it has several turns, none is taken before the common ones.
pub(super) fn stepped(
    terms: &mut Terms,
    pace: Pace,
    begin: &FxHashMap<Term, Term>,
    turns: &[Turn],
) -> Option<Stepped> {
    let at = |terms: &mut Terms, term: Term, state: &FxHashMap<Term, Term>| {
        terms.substitute(term, &mut state.clone())
    };
    let next = |terms: &mut Terms, turn: &Turn, state: &FxHashMap<Term, Term>| -> FxHashMap<Term, Term> {
        turn.values.iter().map(|(&symbol, &value)| (symbol, at(terms, value, state))).collect()
    };
    let (mut begin, mut before) = (begin.clone(), Vec::new());
    for _ in 0..pace.peeled {
        let [turn] = turns else { return None };
        before.extend(turn.guard.iter().map(|&condition| at(terms, condition, &begin)));
        begin = next(terms, turn, &begin);
    }
    let same = turns.first()?.values.keys().map(|&symbol| (symbol, symbol)).collect();
    let mut steps = vec![Turn { values: same, guard: Vec::new() }];
    for _ in 0..pace.turns {
        let mut longer = Vec::new();
        for step in &steps {
            for turn in turns {
                let mut guard = step.guard.clone();
                guard.extend(turn.guard.iter().map(|&condition| at(terms, condition, &step.values)));
                longer.push(Turn { values: next(terms, turn, &step.values), guard });
            }
        }
        steps = longer;
    }
    Some(Stepped { begin, steps, before })
}
