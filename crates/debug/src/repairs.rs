//! Changes of behaviour that make violated cases hold.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use twinrun_base::{Case, Verdict};
use twinrun_interp::Position;

use crate::changes::{Change, Frame, changes};
use crate::groups::{Groups, Ran};
use crate::perturbed::Perturbed;
use crate::report::{Search, Worth};
use crate::subject::Subject;

/// A case with what it gives unchanged.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) relation: u32,
    pub(crate) case: Case,
    pub(crate) ran: Ran,
}

/// The cases that judge a change.
pub(crate) struct Cases {
    /// Violated ones, the shortest first.
    pub(crate) violated: Vec<Known>,
    /// Passing ones, many of them near the violated ones.
    pub(crate) passing: Vec<Known>,
    /// Drawn ones of all relations of the subject, as they come: a change that only suits the violated cases betrays itself here.
    pub(crate) fresh: Vec<Known>,
}

/// A change that makes some violated cases hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repair {
    pub(crate) at: Position,
    pub(crate) change: Change,
    pub(crate) worth: Worth,
}

/// The violated cases that a change must repair, each of them.
const TELLING: usize = 4;
/// Of the passing cases, so many decide whether the others are run.
const HARMED: usize = 6;
/// So many of the best changes are judged by fresh cases.
const JUDGED: usize = 160;
/// Of the fresh cases, so many decide whether the others are run.
const FIRST: usize = 10;

/// Tries changes at all `places`, single steps first, insertions last, until the deadline, at most `most`.
pub(crate) fn repairs(
    groups: &Groups,
    subject: &Subject,
    places: &[Position],
    cases: &Cases,
    (deadline, most): (Instant, u64),
    counters: &mut Search,
) -> Vec<Repair> {
    let mut frames: BTreeMap<u32, Frame> = BTreeMap::new();
    let mut open: Vec<((u8, usize), Position, Change)> = Vec::new();
    let own = subject.module.functions.len() as u32;
    for &at in places {
        // Programs run in instances of their own; their code is not changed.
        if at.function >= own || at.function < subject.module.imported_functions {
            continue;
        }
        let code = subject.module.code(at.function);
        let frame = frames.entry(at.function).or_insert_with(|| Frame::of(code));
        let tried = changes(code, frame, at).into_iter().enumerate();
        open.extend(tried.map(|(number, change)| ((round(change), number), at, change)));
    }
    // Every place gets its turn before any gets many.
    open.sort_by_key(|(turn, ..)| *turn);
    let mut found = Vec::new();
    for (_, at, change) in open {
        if Instant::now() >= deadline || counters.changes >= most {
            break;
        }
        counters.changes += 1;
        found.extend(attempt(groups, at, change, cases));
    }
    counters.repairs = found.iter().filter(|repair| repair.worth.fixed == 1.0).count() as u64;
    let promise = |repair: &Repair| {
        let worth = &repair.worth;
        worth.fixed * worth.harmless * (2.0 + worth.kept + worth.one_sided)
    };
    found.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
    for repair in found.iter_mut().take(JUDGED) {
        if Instant::now() >= deadline {
            break;
        }
        judge(groups, repair, cases);
    }
    found
}

fn round(change: Change) -> u8 {
    match change {
        Change::Assign { .. } => 2,
        Change::Offset(_) | Change::From(_) => 1,
        _ => 0,
    }
}

/// Runs a case with a change; a change that makes it much longer is none.
fn run(groups: &Groups, at: Position, change: Change, known: &Known) -> Ran {
    groups.replay(known.relation, &known.case, Perturbed::new(at, change), known.ran.work * 2 + 300)
}

fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 1.0 } else { part as f64 / of as f64 }
}

/// A change on the violated and the passing cases.
fn attempt(groups: &Groups, at: Position, change: Change, cases: &Cases) -> Option<Repair> {
    let (mut fixed, mut one_sided) = (0usize, 0usize);
    for (index, known) in cases.violated.iter().enumerate() {
        let ran = run(groups, at, change, known);
        // Most changes repair nothing, and a true repair of one fault repairs every case: the first ones tell.
        if ran.verdict != Verdict::Holds && index < TELLING {
            return None;
        }
        fixed += usize::from(ran.verdict == Verdict::Holds);
        one_sided += usize::from(keeps_a_side(&known.ran, &ran));
    }
    let (mut harmless, mut kept, mut same_work) = (0usize, 0usize, 0usize);
    for (index, known) in cases.passing.iter().enumerate() {
        // What harms this many passing cases is no repair.
        if index == HARMED && 2 * harmless < index {
            return None;
        }
        let ran = run(groups, at, change, known);
        harmless += usize::from(ran.verdict == Verdict::Holds);
        kept += usize::from(ran.compared == known.ran.compared);
        same_work += usize::from(ran.work == known.ran.work);
    }
    let worth = Worth {
        fixed: share(fixed, cases.violated.len()),
        harmless: share(harmless, cases.passing.len()),
        kept: share(kept, cases.passing.len()),
        one_sided: share(one_sided, cases.violated.len()),
        same_work: share(same_work, cases.passing.len()),
        ..Worth::default()
    };
    Some(Repair { at, change, worth })
}

/// Whether one side of the check that failed is what it was: of two runs, one was right.
fn keeps_a_side(old: &Ran, new: &Ran) -> bool {
    let failed = old.compared.len().wrapping_sub(1);
    match (old.compared.get(failed), new.compared.get(failed)) {
        (Some(old), Some(new)) => old.0 == new.0 || old.1 == new.1,
        _ => false,
    }
}

/// A change on fresh cases.
fn judge(groups: &Groups, repair: &mut Repair, cases: &Cases) {
    let (mut holds, mut passing, mut kept, mut same_work) = (0usize, 0usize, 0usize, 0usize);
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    let mut seen = 0usize;
    for known in &cases.fresh {
        // What fails this often needs no exact figure.
        if seen == FIRST && 2 * holds < seen {
            break;
        }
        seen += 1;
        let ran = run(groups, repair.at, repair.change, known);
        holds += usize::from(ran.verdict == Verdict::Holds);
        if known.ran.verdict == Verdict::Holds {
            passing += 1;
            kept += usize::from(ran.compared == known.ran.compared);
            same_work += usize::from(ran.work == known.ran.work);
        }
        before.insert(&known.ran.compared);
        after.insert(ran.compared);
    }
    let worth = &mut repair.worth;
    worth.general = share(holds, seen);
    worth.fresh_kept = share(kept, passing);
    worth.distinct = share(after.len(), before.len()).min(1.0);
    let all = cases.passing.len() + passing;
    let before = worth.same_work * cases.passing.len() as f64;
    worth.same_work = if all == 0 { 1.0 } else { (before + same_work as f64) / all as f64 };
}
