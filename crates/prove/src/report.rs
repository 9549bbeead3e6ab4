//! What a proof attempt found, as plain data.

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Crash, Group, Location};
use twinrun_term::printed::{self, Printed};

use crate::carry::Carry;
use crate::extrapolate::Statement;
use crate::failure_report::FailureReport;
use crate::loops::LoopProof;
use crate::net::Tested;
use crate::tables::Tables;
use crate::verdict::Verdict;

/// The answer for one relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of this form.
    pub version: u32,
    /// The subject.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// What is known now.
    pub verdict: Verdict,
    /// The inputs for which it is known, as one line each.
    pub inputs: Vec<String>,
    /// The proof with paths merged, if it was tried.
    pub merged: Option<MergedProof>,
    /// From which inputs to which others correctness carries over, if the relation is proved.
    #[serde(default)]
    pub carry: Option<Carry>,
    /// The proof for any number of turns, if it was tried.
    pub loops: Option<LoopProof>,
    /// The combinations of the runs' paths, if they were enumerated.
    pub pairs: Option<PairCounts>,
    /// The distinct paths of a run that some pair has.
    pub paths: Vec<RunPathSummary>,
    /// The smallest failing case that is known, run in the other engine.
    #[serde(default)]
    pub witness: Option<Witness>,
    /// Where the prover and the other engine do not say the same: one of them is wrong.
    #[serde(default)]
    pub disagreement: Option<Disagreement>,
    /// What was run in the other engine; none where that was switched off.
    #[serde(default)]
    pub tested: Option<Tested>,
    /// Paths with their conditions and answers, and pairs of them, where they were asked for.
    #[serde(default)]
    pub tables: Option<Tables>,
    /// When the relation fails, over all pairs.
    pub fails_when: Option<Condition>,
    /// Every failing pair that was looked into, the smallest witness first.
    pub failures: Vec<Failure>,
    /// How many failing pairs there are beyond those.
    pub failures_left_out: usize,
    /// Which of the paths of the first failure is suspected.
    pub suspected: Option<Suspected>,
    /// Whether the runs are safe: no overflow, no division by zero, nothing out of bounds.
    pub safety: Safety,
    /// The failure report of the first failure.
    pub failure_report: Option<FailureReport>,
    /// What else should be known.
    pub notes: Vec<String>,
    /// For which further inputs correctness follows.
    #[serde(default)]
    pub follows: Vec<Statement>,
}

/// How the proof with paths merged went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MergedProof {
    /// Paths that remained after merging.
    pub paths: u64,
    /// Branches that were merged.
    pub merges: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Whether all were answered.
    pub complete: bool,
    /// Whether everything was decided over integers, exactly.
    pub integers: bool,
}

/// How many combinations of paths there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts {
    /// Feasible pairs.
    pub pairs: usize,
    /// Pairs on which the relation fails for some inputs.
    pub failing: usize,
    /// Pairs on which it fails for some inputs and holds for others.
    pub mixed: usize,
    /// Pairs on which some inputs crash or time out.
    pub broken: usize,
    /// Distinct paths of the first run.
    pub first_run_paths: usize,
    /// Paths that were run to find this.
    pub paths: u64,
    /// Whether these are all.
    pub complete: bool,
}

/// One distinct path of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPathSummary {
    /// The lines of the branches that it decides, in order, as far as they fit.
    pub lines: Vec<u32>,
    /// What it decides on inputs, in the first run that takes it; as far as it fits.
    pub decided: Vec<String>,
    /// In how many failing pairs it occurs, in either role.
    pub violations: usize,
}

/// A condition on the inputs, readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Alternatives, each a conjunction such as `b < a < c`.
    pub alternatives: Vec<String>,
    /// Whether it holds for exactly these inputs; otherwise it only implies what is said.
    pub exact: bool,
}

impl Condition {
    /// The alternatives that hold for a case, as they are written.
    pub fn covering(&self, case: &Case) -> Vec<&str> {
        let names = twinrun_explore::labels(case);
        let input = |name: &str| names.get(name).copied();
        let holds = |text: &str| matches!(printed::evaluate(text, &input), Ok(Some(Printed::Truth(true))));
        self.alternatives.iter().map(String::as_str).filter(|text| holds(text)).collect()
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.alternatives.len() == 1 {
            return write!(formatter, "{}", self.alternatives[0]);
        }
        let parts: Vec<String> = self.alternatives.iter().map(|part| format!("({part})")).collect();
        write!(formatter, "{}", parts.join(" || "))
    }
}

/// A failing pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The paths of the runs, as numbers of [`Report::paths`] counted from 1.
    pub paths: Vec<usize>,
    /// The check that fails, as the source has it.
    pub check: String,
    /// Its line.
    pub line: u32,
    /// The metamorphic failure-causing condition.
    pub fails_when: Condition,
    /// The metamorphic preserving condition of the same paths; none when all their inputs fail.
    pub holds_when: Option<Condition>,
    /// The difference of the two: what triggers the failure on these paths.
    pub trigger: Option<Condition>,
    /// The symbolic outputs of the runs.
    pub outputs: Vec<Output>,
    /// What the check expected and what it got, over the inputs.
    pub sides: Option<(String, String)>,
    /// Inputs that show it.
    pub witness: Option<Witness>,
}

/// A named output of a run, over the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The run, counted from 1.
    pub run: u32,
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Inputs that show a failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// The inputs.
    pub case: Case,
    /// What the other engine saw when it ran them.
    pub replayed: Group,
    /// Whether that is the same verdict.
    pub confirmed: bool,
    /// Places where a sum, difference or product of integers wrapped around as a signed number.
    pub wraps: Vec<Location>,
}

/// A case of which the prover and the other engine do not say the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    /// What the prover says.
    pub prover: String,
    /// How the group ended in the other engine.
    pub engine: String,
    /// The inputs.
    pub case: Case,
}

/// Which path is suspected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspected {
    /// The run of the first failure, counted from 1.
    pub run: u32,
    /// Its path.
    pub path: usize,
    /// In how many failing pairs each run's path occurs, in either role.
    pub violations: Vec<usize>,
}

/// Whether the runs are safe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Safety {
    /// No input of the declared ranges breaks a safety check.
    Proved {
        /// What was checked.
        checked: String,
    },
    /// Some inputs do.
    Broken {
        /// One failure for each place.
        crashes: Vec<SafetyFailure>,
        /// Whether there may be others.
        complete: bool,
    },
    /// It was not found out.
    Unknown {
        /// Why.
        reasons: Vec<String>,
    },
}

/// Inputs that break a safety check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SafetyFailure {
    /// What happens.
    pub crash: Crash,
    /// For which inputs of the path that was found.
    pub fails_when: Condition,
    /// Inputs that show it.
    pub case: Case,
    /// Whether the other engine crashed too.
    pub confirmed: bool,
}
