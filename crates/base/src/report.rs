//! The report of one command: relations with their counts, findings, notices.

use serde::{Deserialize, Serialize};

use crate::cut::Cause;
use crate::finding::Finding;
use crate::group::Verdict;

/// The fields of JSON answers that tell wall-clock times: all that may differ when the same command is run again with the same binary, toolchain and
/// solver, on any number of threads and at any load. The book lists them; `./x experiment determinism` compares the rest byte for byte.
pub const TIME_FIELDS: [&str; 2] = ["seconds", "search_seconds"];

/// The exit codes of every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// Everything that was asked holds.
    Holds = 0,
    /// A relation is violated, or a run crashed.
    Violated = 1,
    /// The command line or the project file is wrong.
    Usage = 2,
    /// Something that we need is missing or failed.
    Infrastructure = 3,
    /// Time-outs or unknowns: no answer.
    Inconclusive = 4,
}

/// How many groups ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Every check was satisfied.
    pub holds: u64,
    /// A check failed.
    pub violated: u64,
    /// An assumption failed.
    pub discarded: u64,
    /// A trap or a failed safety check.
    pub crashed: u64,
    /// The work limit was reached.
    pub timeout: u64,
}

impl Counts {
    /// Counts one more group.
    pub fn add(&mut self, verdict: Verdict) {
        *self.of(verdict) += 1;
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Counts) {
        self.holds += other.holds;
        self.violated += other.violated;
        self.discarded += other.discarded;
        self.crashed += other.crashed;
        self.timeout += other.timeout;
    }

    /// All groups.
    pub fn total(&self) -> u64 {
        self.holds + self.violated + self.discarded + self.crashed + self.timeout
    }

    fn of(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Holds => &mut self.holds,
            Verdict::Violated => &mut self.violated,
            Verdict::Discarded => &mut self.discarded,
            Verdict::Crashed => &mut self.crashed,
            Verdict::Timeout => &mut self.timeout,
        }
    }
}

/// What was done for one relation of one subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RelationSummary {
    /// The subject's name.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// How its groups ended.
    pub counts: Counts,
    /// Blocks of user code that some run touched, and how many there are.
    pub covered: Option<(u64, u64)>,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Things that the user should know, e.g. that no case passes the assumptions.
    pub notices: Vec<String>,
    /// Stopped before its budget was used (Ctrl-C, `--time`).
    pub stopped: bool,
}

/// The report of one command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The command, e.g. `test`.
    pub command: String,
    /// The version of Twinrun.
    pub version: String,
    /// The seed that makes the same cases again.
    pub seed: u64,
    /// One for each relation, in project order.
    pub relations: Vec<RelationSummary>,
    /// The findings, in the order of their relations.
    pub findings: Vec<Finding>,
    /// General remarks.
    pub notices: Vec<String>,
    /// What ended it early, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cause>,
}

impl Report {
    /// The exit code that this report deserves.
    pub fn exit(&self) -> Exit {
        let any = |wanted: &[Verdict]| self.findings.iter().any(|finding| wanted.contains(&finding.verdict));
        if any(&[Verdict::Violated, Verdict::Crashed]) {
            Exit::Violated
        } else if any(&[Verdict::Timeout])
            || self.cut == Some(Cause::Signal)
            || self.relations.iter().any(|it| it.counts.holds == 0)
        {
            Exit::Inconclusive
        } else {
            Exit::Holds
        }
    }
}
