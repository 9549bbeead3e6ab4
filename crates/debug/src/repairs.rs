//! Changes of behaviour that make violated cases hold.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use twinrun_base::{Budget, Case, Verdict};
use twinrun_interp::code::Code;
use twinrun_interp::{Observer, Position};
use twinrun_testing::replay::Replay;

use crate::changes::{Change, changes};
use crate::frame::Frame;
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
    /// More of them, for the changes that suit all of the first.
    pub(crate) more: Vec<Known>,
    /// The branches that the first violated cases decide.
    pub(crate) decided: Vec<FxHashSet<Position>>,
    /// The work of the longest drawn or passing case.
    pub(crate) longest: u64,
}

impl Cases {
    /// The most work of a case with a change. What ends early with the fault may be several times as long as all others without it.
    fn most_work(&self, known: &Known) -> u64 {
        known.ran.work * 2 + (self.longest * 4).max(SHORT)
    }
}

/// A change that makes some violated cases hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repair {
    pub(crate) at: Position,
    pub(crate) change: Change,
    pub(crate) worth: Worth,
    /// A hash of what all cases compare with it.
    pub(crate) answers: u64,
    /// A hash of that and of how long the violated and some fresh cases run with it: what is equal here is one change in effect.
    behaviour: u64,
}

/// Work that no change is refused for.
const SHORT: u64 = 1_000;
/// The violated cases that a change must repair, each of them.
const TELLING: usize = 4;
/// Of the passing cases, so many decide whether the others are run.
const HARMED: usize = 6;
/// So many of the best changes, those with one effect counted once, are judged by fresh cases.
const JUDGED: usize = 240;
/// So many failures among further fresh cases are enough.
const FAILED: usize = 3;
/// Of the fresh cases, so many decide whether the others are run.
const FIRST: usize = 12;
/// So many help to tell which changes are one in effect.
const SIGNED: usize = 6;
/// The share of the work for trying changes; the rest is for judging them.
const TRYING: f64 = 0.6;

/// Changes at `places` that make violated cases hold, judged by all other cases, at most `most` tried; and how many were tried at each
/// place.
pub(crate) fn repairs(
    groups: &Groups,
    subject: &Subject,
    places: &[Position],
    cases: &Cases,
    (budget, most): (Budget, u64),
    counters: &mut Search,
) -> (Vec<Repair>, BTreeMap<Position, u32>) {
    let trying = budget.share(TRYING);
    let mut found = Vec::new();
    let mut tried: BTreeMap<Position, u32> = BTreeMap::new();
    for (at, change) in all_changes(subject, places) {
        if trying.is_over() || counters.changes >= most {
            break;
        }
        counters.changes += 1;
        *tried.entry(at).or_default() += 1;
        found.extend(attempt(groups, at, change, cases));
    }
    let mut found = judged(groups, found, cases, budget);
    counters.repairs = found.iter().filter(|repair| repair.worth.fixed == 1.0).count() as u64;
    sift(groups, &mut found, cases, budget);
    // The most varied of the good changes tells how varied right answers are.
    let good = |worth: &Worth| worth.fixed == 1.0 && worth.harmless > 0.95 && worth.general > 0.97;
    let most = found.iter().map(|it| it.worth).filter(good).map(|it| it.distinct).fold(0.0, f64::max);
    for repair in &mut found {
        let least = if most > 0.0 { most } else { 1.0 };
        repair.worth.distinct = (repair.worth.distinct / least).min(1.0);
    }
    (found, tried)
}

/// The changes that are tried, single steps first, insertions last: every place gets its turn before any gets many.
fn all_changes(subject: &Subject, places: &[Position]) -> impl Iterator<Item = (Position, Change)> {
    let mut frames: BTreeMap<u32, Frame> = BTreeMap::new();
    let mut open: Vec<((u8, usize), Position, Change)> = Vec::new();
    for &at in places {
        let Some(code) = subject.code(at.function) else { continue };
        let frame = frames.entry(at.function).or_insert_with(|| Frame::of(code));
        let tried = changes(code, frame, at).into_iter().enumerate();
        open.extend(tried.map(|(number, change)| ((round(change), number), at, change)));
    }
    open.sort_by_key(|(turn, ..)| *turn);
    open.into_iter().map(|(_, at, change)| (at, change))
}

/// Judges changes by the passing and the fresh cases, those with one effect once.
fn judged(groups: &Groups, found: Vec<Repair>, cases: &Cases, budget: Budget) -> Vec<Repair> {
    let mut alike: BTreeMap<u64, Vec<Repair>> = BTreeMap::new();
    for repair in found {
        alike.entry(repair.behaviour).or_default().push(repair);
    }
    let mut classes: Vec<(Repair, Vec<Repair>)> = Vec::new();
    for class in alike.into_values() {
        if budget.is_over() {
            break;
        }
        if let Some(first) = spare(groups, class[0], cases) {
            classes.push((first, class));
        }
    }
    let promise = |repair: &Repair| {
        let worth = &repair.worth;
        worth.fixed * worth.harmless * (2.0 + worth.kept + worth.one_sided)
    };
    classes.sort_by(|(a, _), (b, _)| promise(b).total_cmp(&promise(a)).then(a.behaviour.cmp(&b.behaviour)));
    for (first, _) in classes.iter_mut().take(JUDGED) {
        if budget.is_over() {
            break;
        }
        judge(groups, first, cases);
    }
    let members = classes.into_iter().flat_map(|(Repair { worth, answers, .. }, class)| {
        class.into_iter().map(move |repair| Repair { worth, answers, ..repair })
    });
    members.collect()
}

/// Judges the changes that all fresh cases suit by more of them. Changes with the same answers so far are judged by one of them.
fn sift(groups: &Groups, found: &mut [Repair], cases: &Cases, budget: Budget) {
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (index, repair) in found.iter().enumerate() {
        if repair.worth.general > 0.95 && repair.worth.fixed == 1.0 {
            alike.entry(repair.answers).or_default().push(index);
        }
    }
    let mut alike: Vec<Vec<usize>> = alike.into_values().collect();
    alike.sort();
    for class in alike {
        if budget.is_over() {
            break;
        }
        let (at, change) = (found[class[0]].at, found[class[0]].change);
        let seen = cases.fresh.len();
        let mut failed = seen - (found[class[0]].worth.general * seen as f64).round() as usize;
        let mut seen = seen;
        for known in &cases.more {
            seen += 1;
            let ran = run(groups, at, change, known, cases);
            failed += usize::from(ran.verdict != Verdict::Holds);
            // What fails this often needs no exact figure.
            if failed >= FAILED {
                break;
            }
        }
        for index in class {
            found[index].worth.general = share(seen - failed, seen);
        }
    }
}

fn round(change: Change) -> u8 {
    match change {
        Change::Assign { .. } => 2,
        Change::Offset(_) | Change::From(_) | Change::Both { .. } => 1,
        _ => 0,
    }
}

/// Runs a case with a change; a change that makes it much longer is none.
fn run(groups: &Groups, at: Position, change: Change, known: &Known, cases: &Cases) -> Ran {
    groups.replay(known.relation, &known.case, Perturbed::new(at, change), cases.most_work(known))
}

fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 1.0 } else { part as f64 / of as f64 }
}

/// A change on the violated cases, if it repairs the first ones.
fn attempt(groups: &Groups, at: Position, change: Change, cases: &Cases) -> Option<Repair> {
    let (mut fixed, mut one_sided) = (0usize, 0usize);
    let (mut answers, mut behaviour) = (FxHasher::default(), FxHasher::default());
    for (index, known) in cases.violated.iter().enumerate() {
        let ran = run(groups, at, change, known, cases);
        // Most changes repair nothing, and a true repair of one fault repairs every case: the first ones tell.
        if ran.verdict != Verdict::Holds && index < TELLING {
            return None;
        }
        fixed += usize::from(ran.verdict == Verdict::Holds);
        one_sided += usize::from(keeps_a_side(&known.ran, &ran));
        ran.compared.hash(&mut answers);
        ran.work.hash(&mut behaviour);
    }
    for known in cases.fresh.iter().take(SIGNED) {
        let ran = run(groups, at, change, known, cases);
        (ran.compared, ran.work).hash(&mut behaviour);
    }
    let worth = Worth {
        fixed: share(fixed, cases.violated.len()),
        one_sided: share(one_sided, cases.violated.len()),
        ..Worth::default()
    };
    let answers = answers.finish();
    answers.hash(&mut behaviour);
    Some(Repair { at, change, worth, answers, behaviour: behaviour.finish() })
}

/// A change on the passing cases, if it harms few of them.
fn spare(groups: &Groups, mut repair: Repair, cases: &Cases) -> Option<Repair> {
    let (mut harmless, mut kept, mut same_work) = (0usize, 0usize, 0usize);
    for (index, known) in cases.passing.iter().enumerate() {
        // What harms this many passing cases is no repair.
        if index == HARMED && 2 * harmless < index {
            return None;
        }
        let ran = run(groups, repair.at, repair.change, known, cases);
        harmless += usize::from(ran.verdict == Verdict::Holds);
        kept += usize::from(ran.compared == known.ran.compared);
        same_work += usize::from(ran.work == known.ran.work);
    }
    repair.worth.harmless = share(harmless, cases.passing.len());
    repair.worth.kept = share(kept, cases.passing.len());
    repair.worth.same_work = share(same_work, cases.passing.len());
    Some(repair)
}

/// Whether one side of the check that failed is what it was: of two runs, one was right.
fn keeps_a_side(old: &Ran, new: &Ran) -> bool {
    let failed = old.compared.len().wrapping_sub(1);
    match (old.compared.get(failed), new.compared.get(failed)) {
        (Some(old), Some(new)) => old.0 == new.0 || old.1 == new.1,
        _ => false,
    }
}

/// The share of the branches of some violated cases that are still decided with a change.
fn covered(groups: &Groups, at: Position, change: Change, cases: &Cases) -> f64 {
    let mut sum = 0.0;
    for (known, before) in cases.violated.iter().zip(&cases.decided) {
        let mut after = Decides::default();
        let mut replay = Replay::default();
        replay.begin(&known.case);
        let domain = Perturbed::new(at, change);
        groups.run(known.relation, &mut replay, domain, cases.most_work(known), &mut after);
        sum += share(before.intersection(&after.branches).count(), before.len());
    }
    sum / cases.decided.len().max(1) as f64
}

/// The branches that a violated case decides, changed nowhere.
pub(crate) fn decided(groups: &Groups, known: &Known) -> FxHashSet<Position> {
    let mut decides = Decides::default();
    let mut replay = Replay::default();
    replay.begin(&known.case);
    groups.run(known.relation, &mut replay, Perturbed::nothing(), u64::MAX, &mut decides);
    decides.branches
}

/// Notes the branches of user code that are decided.
#[derive(Default)]
struct Decides {
    branches: FxHashSet<Position>,
}

impl Observer for Decides {
    fn branch(&mut self, at: Position, code: &Code, _outcome: u32) {
        if code.site(at.pc).is_some() {
            self.branches.insert(at);
        }
    }
}

/// A change on fresh cases.
fn judge(groups: &Groups, repair: &mut Repair, cases: &Cases) {
    let (mut holds, mut passing, mut kept, mut same_work) = (0usize, 0usize, 0usize, 0usize);
    let mut harmless = 0usize;
    let mut answers = FxHasher::default();
    repair.answers.hash(&mut answers);
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    let (mut seen, mut one_sided) = (0usize, 0usize);
    for known in &cases.fresh {
        // What fails this often needs no exact figure.
        if seen == FIRST && 2 * holds < seen {
            break;
        }
        seen += 1;
        let ran = run(groups, repair.at, repair.change, known, cases);
        holds += usize::from(ran.verdict == Verdict::Holds);
        if known.ran.verdict == Verdict::Holds {
            passing += 1;
            harmless += usize::from(ran.verdict == Verdict::Holds);
            kept += usize::from(ran.compared == known.ran.compared);
            same_work += usize::from(ran.work == known.ran.work);
        } else {
            one_sided += usize::from(keeps_a_side(&known.ran, &ran));
        }
        ran.compared.hash(&mut answers);
        before.insert(&known.ran.compared);
        after.insert(ran.compared);
    }
    let worth = &mut repair.worth;
    repair.answers = answers.finish();
    worth.general = share(holds, seen);
    worth.fresh_fixed = share(holds - harmless, seen - passing);
    worth.fresh_kept = share(kept, passing);
    worth.distinct = share(after.len(), before.len());
    let before = worth.one_sided * cases.violated.len() as f64;
    worth.one_sided = (before + one_sided as f64) / (cases.violated.len() + seen - passing).max(1) as f64;
    worth.covered = covered(groups, repair.at, repair.change, cases);
    let all = cases.passing.len() + passing;
    let before = worth.same_work * cases.passing.len() as f64;
    worth.same_work = if all == 0 { 1.0 } else { (before + same_work as f64) / all as f64 };
}
