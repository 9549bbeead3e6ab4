//! From failing cases to findings: shrink the most different ones, then put those that fail alike down to one fault.
//!
//! Raw failing cases of one fault run through much code that has nothing to do with it; minimal ones run through little
//! else. So failures are grouped by the coverage of their *minimal* groups.

use std::collections::BTreeSet;

use twinrun_base::finding::Finding;
use twinrun_base::{Case, CrashKind, Group, Hash, Verdict, cut};

use crate::chunk::Failure;
use crate::executor::{Ending, ExecuteError, Explained};
use crate::shrink::{Measure, measure, shrink};
use crate::target::{Build, Target};

/// Failures of one relation that are shrunk.
const MOST_SHRUNK: usize = 12;
/// Minimal groups whose coverage agrees at least so far are put down to one fault.
const ALIKE: f64 = 0.8;

/// A minimal failing group and the failures that it stands for.
struct Minimal {
    ending: Ending,
    checked: bool,
    case: Case,
    found: Case,
    size: Measure,
    steps: u64,
    seen: u64,
    explained: Explained,
    coverage: BTreeSet<u32>,
}

/// The findings of one relation, most frequent first among equals of verdict.
///
/// # Errors
/// When an executor cannot answer.
pub fn findings(target: &dyn Target, failures: Vec<Failure>) -> Result<Vec<Finding>, ExecuteError> {
    let mut minimal: Vec<Minimal> = Vec::new();
    for failure in representatives(failures) {
        let Some(next) = minimise(target, failure)? else { continue };
        match minimal.iter_mut().find(|other| alike(other, &next)) {
            Some(other) => {
                other.seen += next.seen;
                if next.size < other.size {
                    let seen = other.seen;
                    *other = Minimal { seen, ..next };
                }
            }
            None => minimal.push(next),
        }
    }
    // A crash that the plain build shows as well need not be told twice.
    let plain: Vec<Ending> = minimal.iter().filter(|it| !it.checked).map(|it| it.ending).collect();
    minimal.retain(|it| !(it.checked && plain.iter().any(|ending| ending.verdict == Verdict::Crashed)));
    let mut findings: Vec<Finding> = Vec::new();
    for it in minimal {
        let mut next = finding(target, it);
        // Several faults behind one check: told apart by their order, which the seed fixes.
        for twin in 2.. {
            if findings.iter().all(|other| other.fingerprint != next.fingerprint) {
                break;
            }
            next.fingerprint = Hash::of([next.fingerprint.to_string(), twin.to_string()]);
        }
        findings.push(next);
    }
    Ok(findings)
}

/// The failures worth shrinking: of every ending the smallest few, each with the count of those that it stands for.
fn representatives(failures: Vec<Failure>) -> Vec<Failure> {
    let mut by_ending: Vec<Vec<Failure>> = Vec::new();
    for failure in failures {
        let place = by_ending
            .iter()
            .position(|it| it[0].ending == failure.ending && it[0].checked == failure.checked);
        match place {
            Some(place) => {
                let same = by_ending[place].iter_mut().find(|it| it.signature == failure.signature);
                match same {
                    Some(same) => {
                        same.count += failure.count;
                        if measure(&failure.case) < measure(&same.case) {
                            same.case = failure.case;
                        }
                    }
                    None => by_ending[place].push(failure),
                }
            }
            None => by_ending.push(vec![failure]),
        }
    }
    let share = MOST_SHRUNK.div_ceil(by_ending.len().max(1)).max(2);
    let mut chosen = Vec::new();
    for mut group in by_ending {
        group.sort_by_cached_key(|failure| measure(&failure.case));
        let rest: u64 = group.iter().skip(share).map(|failure| failure.count).sum();
        group.truncate(share);
        group[0].count += rest;
        chosen.extend(group);
    }
    chosen
}

fn minimise(target: &dyn Target, failure: Failure) -> Result<Option<Minimal>, ExecuteError> {
    let build = if failure.checked { Build::Checked } else { Build::Plain };
    let Some(mut executor) = target.executor(build)? else { return Ok(None) };
    // Each time-out costs the whole work limit: shrink those a little only.
    let most = if failure.ending.verdict == Verdict::Timeout { 200 } else { target.pace().shrink };
    let shrunk = shrink(&mut *executor, &failure.case, failure.ending, most, &cut::is_requested)?;
    let mut explained = executor.explain(&shrunk.case)?;
    if explained.group.verdict == Verdict::Discarded && cut::is_requested() {
        // It was found and judged; there is no time left to say more of it.
        explained = unexplained(&shrunk.case, failure.ending.verdict);
    }
    if explained.group.verdict != failure.ending.verdict {
        // What is reported was replayed; what does not replay is not reported.
        return Ok(None);
    }
    if !failure.checked && explained.group.crash.as_ref().is_some_and(|crash| is_heap_error(&crash.kind)) {
        // The plain build notices a heap error when the block is freed; the checked one at the access itself.
        let precise = target
            .executor(Build::Checked)?
            .map(|mut executor| executor.explain(&shrunk.case))
            .transpose()?;
        if let Some(precise) =
            precise.filter(|it| it.group.crash.as_ref().is_some_and(|crash| is_heap_error(&crash.kind)))
        {
            explained.group.crash = precise.group.crash;
        }
    }
    let coverage = explained.coverage.iter().flatten().copied().collect();
    Ok(Some(Minimal {
        ending: failure.ending,
        checked: failure.checked,
        size: measure(&shrunk.case),
        case: shrunk.case,
        found: failure.case,
        steps: shrunk.steps,
        seen: failure.count,
        explained,
        coverage,
    }))
}

fn unexplained(case: &Case, verdict: Verdict) -> Explained {
    let group = Group { case: case.clone(), verdict, runs: Vec::new(), check: None, crash: None, work: 0 };
    Explained { group, coverage: Vec::new(), dependent_runs: false }
}

fn is_heap_error(kind: &CrashKind) -> bool {
    matches!(kind, CrashKind::HeapOverrun | CrashKind::UseAfterFree | CrashKind::BadFree)
}

/// Whether two minimal groups are likely due to one fault.
fn alike(a: &Minimal, b: &Minimal) -> bool {
    if a.ending != b.ending || a.checked != b.checked {
        return false;
    }
    let crash = |it: &Minimal| {
        it.explained.group.crash.as_ref().map(|crash| (crash.kind.clone(), crash.location().cloned()))
    };
    if a.ending.verdict == Verdict::Crashed {
        return crash(a) == crash(b);
    }
    let both = a.coverage.intersection(&b.coverage).count() as f64;
    let either = a.coverage.union(&b.coverage).count() as f64;
    a.case == b.case || either == 0.0 || both / either >= ALIKE
}

fn finding(target: &dyn Target, minimal: Minimal) -> Finding {
    let Minimal { ending, explained, .. } = minimal;
    let place = match (&explained.group.check, &explained.group.crash) {
        (Some(check), _) => check.text.clone(),
        (_, Some(crash)) => {
            format!("{:?} {:?}", crash.kind, crash.stack.first().map(|frame| &frame.function))
        }
        _ => String::new(),
    };
    let verdict = ending.verdict.to_string();
    Finding {
        fingerprint: Hash::of([target.subject(), target.relation(), &verdict, &place]),
        subject: target.subject().to_owned(),
        relation: target.relation().to_owned(),
        verdict: ending.verdict,
        group: explained.group,
        found: minimal.found,
        seen: minimal.seen,
        shrinks: minimal.steps,
        dependent_runs: explained.dependent_runs,
        checked_build: minimal.checked,
        saved: None,
        suspects: Vec::new(),
        critical: None,
        fails_when: None,
        repairs: Vec::new(),
        unsaid: Vec::new(),
        relation_location: target.location(),
    }
}
