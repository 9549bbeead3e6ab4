//! What is true of a relation: all cases of it, run in the engine that proves nothing.

use std::error::Error;

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Verdict};
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::target::{Build, Target as _};

use crate::walk::Walk;

/// Relations with more cases than this are left out.
pub const MOST_CASES: u64 = 30_000;

/// All cases of a relation, counted by how they end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    /// All of them.
    pub cases: u64,
    /// Cases in which a check fails.
    pub violated: u64,
    /// Cases that crash.
    pub crashed: u64,
    /// Cases that an assumption excludes.
    pub discarded: u64,
    /// Cases that reach the limit of work.
    pub timeouts: u64,
    /// The first case that fails or crashes, for reports.
    pub first: Option<String>,
}

impl Truth {
    /// Runs all cases; none when there are too many.
    ///
    /// # Errors
    /// When the engine cannot answer.
    pub fn of(subject: &WasmSubject, relation: &str) -> Result<Option<Truth>, Box<dyn Error>> {
        let mut truth = Truth::default();
        let mut failing = 0;
        let complete = each(subject, relation, &mut Walk::default(), &mut |_, verdict| {
            truth.cases += 1;
            match verdict {
                Verdict::Holds => {}
                Verdict::Violated => truth.violated += 1,
                Verdict::Crashed => truth.crashed += 1,
                Verdict::Discarded => truth.discarded += 1,
                Verdict::Timeout => truth.timeouts += 1,
            }
            if failing == 0 && matches!(verdict, Verdict::Violated | Verdict::Crashed) {
                failing = truth.cases;
            }
            truth.cases < MOST_CASES
        })?;
        if failing > 0 {
            let mut count = 0;
            each(subject, relation, &mut Walk::keeping(), &mut |case, _| {
                count += 1;
                truth.first = (count == failing).then(|| show(case));
                count < failing
            })?;
        }
        Ok(complete.then_some(truth))
    }

    /// Whether no case fails or crashes.
    pub fn holds(&self) -> bool {
        self.violated == 0 && self.crashed == 0 && self.timeouts == 0
    }

    /// Whether it fails for fewer than one case in a hundred.
    pub fn is_rare(&self) -> bool {
        !self.holds() && (self.violated + self.crashed) * 100 < self.cases
    }
}

/// Runs every case of a relation, in the order of a walk, until `take` answers false; whether all were run.
///
/// # Errors
/// When the engine cannot answer.
pub fn each(
    subject: &WasmSubject,
    relation: &str,
    walk: &mut Walk,
    take: &mut dyn FnMut(&Case, Verdict) -> bool,
) -> Result<bool, Box<dyn Error>> {
    let target = subject.target(relation)?;
    let Some(mut executor) = target.executor(Build::Plain)? else { return Ok(false) };
    loop {
        walk.begin();
        let verdict = executor.run(walk)?.verdict;
        let nothing = Case::default();
        if walk.too_many() || !take(walk.case().unwrap_or(&nothing), verdict) {
            return Ok(false);
        }
        if !walk.advance() {
            return Ok(true);
        }
    }
}

/// A case on one line.
pub fn show(case: &Case) -> String {
    case.inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
