//! Safety beside the relation: the checked build explored with paths merged; each crash with its condition and a witness.

use std::collections::BTreeSet;

use twinrun_base::{Budget, Case, Crash, CrashKind, Verdict};
use twinrun_testing::executor::Executor;
use twinrun_testing::replay::Replay;

use crate::conditions::Minimiser;
use crate::error::Error;
use crate::merged::{self, Way};
use crate::net::{FIRST, FIRST_WORK, Net, WHOLE, WHOLE_WORK};
use crate::prepare::{Config, Loaded, Progress, solver};
use crate::report::{Condition, Safety, SafetyFailure};
use crate::witness;

/// So many crashes at different places are told.
const MOST_CRASHES: usize = 8;

/// Looks for inputs that break a safety check: cases first, then all paths.
pub(crate) fn check(
    loaded: &Loaded,
    relation: &str,
    config: &Config,
    until: Budget,
    net: &mut Net<'_>,
    tell: &mut dyn FnMut(Progress),
) -> Result<Safety, Error> {
    if !config.no_pretest {
        net.draw(FIRST, FIRST_WORK)?;
        net.boundaries()?;
    }
    let single = Config { no_merging: true, ..config.clone() };
    let first = if loaded.programs.is_empty() { config } else { &single };
    let half = until.share(0.5);
    let mut outcome = merged::explore(loaded, relation, first, half, Way::default(), tell)?;
    if !outcome.evidence.coverage.is_complete() && outcome.crashed.is_empty() {
        // Merged conditions may be too hard where single paths are easy.
        outcome = merged::explore(loaded, relation, &single, until, Way::default(), tell)?;
    }
    let complete = outcome.evidence.is_complete();
    let mut crashes: Vec<SafetyFailure> = Vec::new();
    let mut unconfirmed = BTreeSet::new();
    let mut finder = solver(&config.solver, until);
    for (path, _) in std::mem::take(&mut outcome.crashed) {
        if crashes.len() == MOST_CRASHES {
            break;
        }
        let engine = &mut outcome.explorer.engine;
        let case = witness::small(engine, &mut finder, &path);
        let replayed = net.executor().explain(&case)?.group;
        let crash: Crash = match (replayed.crash.clone(), &path.crash) {
            (Some(crash), _) => crash,
            // Paths follow undefined bits less exactly than the shadow interpreter: what it does not see is a doubt, not a finding.
            (None, Some(crash)) if crash.kind == CrashKind::Uninitialised => {
                unconfirmed.insert(format!(
                    "a value that may be uninitialised is used, for one when {}",
                    crate::human::case_text(&case)
                ));
                continue;
            }
            (None, Some(crash)) => crash.clone(),
            (None, None) => continue,
        };
        if crashes.iter().any(|known| known.crash == crash) {
            continue;
        }
        let mut minimiser = Minimiser {
            terms: &mut engine.domain.terms,
            solver: &mut finder,
            until,
            given: crate::whole::given(&path),
            extents: Vec::new(),
        };
        let conditions = minimiser.minimal(&path);
        let fails_when = minimiser.show(&[conditions], false);
        crashes.push(SafetyFailure {
            crash,
            fails_when,
            case,
            confirmed: replayed.verdict == Verdict::Crashed,
        });
    }
    if !crashes.is_empty() {
        return Ok(Safety::Broken { crashes, complete });
    }
    if complete && !config.no_pretest {
        net.draw(WHOLE, WHOLE_WORK)?;
    }
    // What the engine has seen counts, whatever the paths say.
    if let Some(witness) = net.failing(Verdict::Crashed)?
        && let Some(crash) = witness.replayed.crash.clone()
    {
        let fails_when =
            Condition { alternatives: vec![crate::human::case_text(&witness.case)], exact: false };
        let crashes = vec![SafetyFailure { crash, fails_when, case: witness.case, confirmed: true }];
        return Ok(Safety::Broken { crashes, complete: false });
    }
    let mut open = outcome.evidence.open();
    open.extend(unconfirmed);
    if complete && !outcome.evidence.runs() {
        open.push("nothing is run".to_owned());
    }
    if !config.no_pretest && net.tested.cut {
        open.push("the test before a proof was cut".to_owned());
    }
    if open.is_empty() && complete {
        let checked =
            "signed overflow, bounds of arrays and variables, null, shifts, division by zero, conversions from floating point, heap, uninitialised values"
                .to_owned();
        return Ok(Safety::Proved { checked });
    }
    let mut reasons = outcome.reasons;
    reasons.extend(open);
    Ok(Safety::Unknown { reasons })
}

/// What some cases say where the paths are without number: the first that crashes, or only that none did.
pub(crate) fn sample(executor: &mut dyn Executor, cases: &[Case]) -> Result<Safety, Error> {
    for case in cases {
        let mut replay = Replay::default();
        replay.begin(case);
        if executor.run(&mut replay)?.verdict != Verdict::Crashed {
            continue;
        }
        let group = executor.explain(case)?.group;
        let Some(crash) = group.crash else { continue };
        let fails_when = Condition { alternatives: vec![crate::human::case_text(case)], exact: false };
        let crashes = vec![SafetyFailure { crash, fails_when, case: case.clone(), confirmed: true }];
        return Ok(Safety::Broken { crashes, complete: false });
    }
    let reason =
        format!("no proof for any number of turns; {} cases of the checked build: none crashed", cases.len());
    Ok(Safety::Unknown { reasons: vec![reason] })
}
