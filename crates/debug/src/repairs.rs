//! Changes of behaviour that make violated cases hold.

use std::collections::BTreeMap;
use std::time::Instant;

use twinrun_base::{Case, Verdict};
use twinrun_interp::Position;

use crate::changes::{Change, Frame, changes};
use crate::groups::{Groups, Ran};
use crate::perturbed::Perturbed;
use crate::report::Search;
use crate::subject::Subject;

/// A case with what it gives unchanged.
pub(crate) struct Known {
    pub(crate) relation: u32,
    pub(crate) case: Case,
    pub(crate) ran: Ran,
}

/// A change that makes some violated cases hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repair {
    pub(crate) at: Position,
    pub(crate) change: Change,
    /// The share of violated cases that hold with it.
    pub(crate) fixed: f64,
    /// The share of passing cases that still hold with it.
    pub(crate) harmless: f64,
    /// The share of compared values that stay as they were, over all cases.
    pub(crate) kept: f64,
}

/// The violated cases that a change must repair, each of them.
const TELLING: usize = 4;

/// Tries changes at all `places`, single steps first, insertions last, until the deadline, at most `most`.
pub(crate) fn repairs(
    groups: &Groups,
    subject: &Subject,
    places: &[Position],
    violated: &[Known],
    passing: &[Known],
    (deadline, most): (Instant, u64),
    counters: &mut Search,
) -> Vec<Repair> {
    let mut frames: BTreeMap<u32, Frame> = BTreeMap::new();
    let mut open: Vec<(u8, Position, Change)> = Vec::new();
    let own = subject.module.functions.len() as u32;
    for &at in places {
        // Programs run in instances of their own; their code is not changed.
        if at.function >= own || at.function < subject.module.imported_functions {
            continue;
        }
        let code = subject.module.code(at.function);
        let frame = frames.entry(at.function).or_insert_with(|| Frame::of(code));
        open.extend(changes(code, frame, at).into_iter().map(|change| (round(change), at, change)));
    }
    open.sort_by_key(|(round, ..)| *round);
    let mut found = Vec::new();
    for (_, at, change) in open {
        if Instant::now() >= deadline || counters.changes >= most {
            break;
        }
        counters.changes += 1;
        found.extend(attempt(groups, at, change, violated, passing));
    }
    counters.repairs = found.iter().filter(|repair| repair.fixed == 1.0).count() as u64;
    found
}

fn round(change: Change) -> u8 {
    match change {
        Change::Assign { .. } => 2,
        Change::Offset(_) | Change::From(_) => 1,
        _ => 0,
    }
}

fn attempt(
    groups: &Groups,
    at: Position,
    change: Change,
    violated: &[Known],
    passing: &[Known],
) -> Option<Repair> {
    let run = |known: &Known| {
        groups.replay(known.relation, &known.case, Perturbed::new(at, change), known.ran.work * 4 + 1000)
    };
    let (mut fixed, mut kept, mut values) = (0usize, 0usize, 0usize);
    let mut compare = |old: &Ran, new: &Ran| {
        values += old.compared.len();
        kept += old.compared.iter().zip(&new.compared).filter(|(old, new)| old == new).count();
    };
    for (index, known) in violated.iter().enumerate() {
        let ran = run(known);
        fixed += usize::from(ran.verdict == Verdict::Holds);
        // Most changes repair nothing, and a true repair of one fault repairs every case: the first ones tell.
        if ran.verdict != Verdict::Holds && index < TELLING {
            return None;
        }
        compare(&known.ran, &ran);
    }
    let mut harmless = 0usize;
    for known in passing {
        let ran = run(known);
        harmless += usize::from(ran.verdict == Verdict::Holds);
        compare(&known.ran, &ran);
    }
    let share = |part: usize, of: usize| if of == 0 { 1.0 } else { part as f64 / of as f64 };
    Some(Repair {
        at,
        change,
        fixed: share(fixed, violated.len()),
        harmless: share(harmless, passing.len()),
        kept: share(kept, values),
    })
}
